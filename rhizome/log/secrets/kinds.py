"""Secrets with a mark of their own: the prefixes and lengths that providers publish for what they hand out.

A row is a name, its marks, and what follows a mark. Quantifiers are bounded; where a provider publishes no length, the
bounds are wide. A row says nothing that a reader of the provider's documentation would not know.
"""

import re
from collections.abc import Iterable, Iterator

from rhizome.log.secrets.rule import ALONE, ALONE_END, END, START, URL_END, Rule, around_mark, at_mark

_X, _W, _H = "[A-Za-z0-9]", "[A-Za-z0-9_-]", "[0-9a-f]"
_UUID = f"{_H}{{8}}(?:-{_H}{{4}}){{3}}-{_H}{{12}}"

# What may follow a token: no letter or digit; for tokens that have - and _ in them, none of these either.
PREFIXED: tuple[tuple[str, str, str], ...] = (
    ("anthropic_key", "sk-ant-", f"{_W}{{20,300}}"),
    ("openai_key", "sk-proj- sk-svcacct- sk-admin-", f"{_W}{{20,300}}"),
    ("openai_key", "sk-", f"{_X}{{32,128}}"),
    ("openrouter_key", "sk-or-v1-", f"{_W}{{20,300}}"),
    ("langfuse_key", "sk-lf-", _UUID),
    ("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", f"{_X}{{36,255}}"),
    ("github_token", "github_pat_", f"{_X}{{16}}[A-Za-z0-9_]{{20,239}}"),
    ("gitlab_token", "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- gloas-",
     rf"{_W}{{20,300}}(?:\.[0-9a-z]{{2}}\.[0-9a-z]{{9}})?"),
    ("google_api_key", "AIza", f"{_W}{{35}}"),
    ("google_oauth_token", "ya29.", f"{_W}{{30,600}}"),
    ("google_oauth_token", "1//0", f"{_W}{{40,160}}"),
    ("google_oauth_secret", "GOCSPX-", f"{_W}{{28}}"),
    ("slack_token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs-", "[0-9]{1,16}-[A-Za-z0-9-]{8,250}"),
    ("slack_token", "xoxe.xoxb- xoxe.xoxp-", "[0-9]{1,16}-[A-Za-z0-9-]{8,250}"),
    ("slack_token", "xapp-", f"[0-9]-[A-Z0-9]{{8,16}}-[0-9]{{8,16}}-{_H}{{40,80}}"),
    ("stripe_key", "sk_live_ rk_live_ sk_test_ rk_test_", f"{_X}{{16,250}}"),
    ("stripe_webhook_secret", "whsec_", f"{_X}{{32,64}}"),
    ("npm_token", "npm_", f"{_X}{{36}}"),
    ("pypi_token", "pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw", f"{_W}{{50,1000}}"),
    ("rubygems_key", "rubygems_", f"{_H}{{48}}"),
    ("docker_token", "dckr_pat_ dckr_oat_", f"{_W}{{20,60}}"),
    ("hugging_face_token", "hf_", f"{_X}{{34}}"),
    ("hugging_face_token", "api_org_", f"{_X}{{34}}"),
    ("groq_key", "gsk_", f"{_X}{{40,80}}"),
    ("xai_key", "xai-", f"{_X}{{60,100}}"),
    ("perplexity_key", "pplx-", f"{_X}{{40,64}}"),
    ("nvidia_key", "nvapi-", f"{_W}{{50,90}}"),
    ("replicate_token", "r8_", f"{_X}{{37}}"),
    ("pinecone_key", "pcsk_", "[A-Za-z0-9_]{40,100}"),
    ("tavily_key", "tvly-dev- tvly-prod- tvly-", f"{_X}{{28,48}}"),
    ("langsmith_key", "lsv2_pt_ lsv2_sk_", f"{_H}{{32}}_{_H}{{10}}"),
    ("cerebras_key", "csk-", "[a-z0-9]{48}"),
    ("jina_key", "jina_", f"{_H}{{32}}{_W}{{28}}"),
    ("elevenlabs_key", "sk_", f"{_H}{{48}}"),
    ("shopify_token", "shpat_ shpca_ shppa_ shpss_", "[0-9A-Fa-f]{32}"),
    ("square_token", "sq0atp- sq0csp-", f"{_W}{{22,43}}"),
    ("shippo_token", "shippo_live_ shippo_test_", f"{_H}{{40}}"),
    ("flutterwave_key", "FLWSECK- FLWSECK_TEST-", f"{_H}{{32}}-X"),
    ("duffel_token", "duffel_live_ duffel_test_", f"{_W}{{43}}"),
    ("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", f"{_H}{{64}}"),
    ("linear_key", "lin_api_", f"{_X}{{40}}"),
    ("linear_key", "lin_oauth_", f"{_H}{{64}}"),
    ("notion_token", "ntn_", f"{_X}{{40,50}}"),
    ("notion_token", "secret_", f"{_X}{{43}}"),
    ("sendgrid_key", "SG.", rf"{_W}{{22}}\.{_W}{{43}}"),
    ("brevo_key", "xkeysib- xsmtpsib-", f"{_H}{{64}}-{_X}{{16}}"),
    ("resend_key", "re_", f"{_X}{{8}}_{_X}{{24}}"),
    ("vault_token", "hvs. hvb. hvr.", f"{_W}{{24,300}}"),
    ("databricks_token", "dapi", f"{_H}{{32}}(?:-[0-9])?"),
    ("postman_key", "PMAK-", f"{_H}{{24}}-{_H}{{34}}"),
    ("new_relic_key", "NRAK-", "[A-Z0-9]{27}"),
    ("new_relic_key", "NRII-", f"{_W}{{32}}"),
    ("figma_token", "figd_", f"{_W}{{36,60}}"),
    ("grafana_token", "glsa_", f"{_X}{{32}}_{_H}{{8}}"),
    ("sentry_token", "sntryu_", f"{_H}{{64}}"),
    ("posthog_key", "phx_", f"{_X}{{40,60}}"),
    ("pulumi_token", "pul-", f"{_H}{{40}}"),
    ("contentful_token", "CFPAT-", f"{_W}{{43}}"),
    ("supabase_key", "sbp_", f"{_H}{{40}}"),
    ("supabase_key", "sb_secret_", f"{_W}{{31,40}}"),
    ("tailscale_key", "tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook-", f"{_X}{{8,24}}-{_X}{{20,60}}"),
    ("netlify_token", "nfp_", f"{_X}{{36,40}}"),
    ("heroku_key", "HRKU-", f"{_W}{{36,70}}"),
    ("doppler_token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", rf"(?:[a-z0-9_-]{{2,35}}\.)?{_X}{{40,44}}"),
    ("dynatrace_token", "dt0c01. dt0s01. dt0s02. dt0s08. dt0s16.", r"[A-Z2-7]{24}\.[A-Z2-7]{64}"),
    ("planetscale_token", "pscale_tkn_ pscale_pw_ pscale_oauth_", f"{_W}{{32,64}}"),
    ("sourcegraph_token", "sgp_", f"(?:{_H}{{16}}_|local_)?{_H}{{40}}"),
    ("typeform_token", "tfp_", f"{_W}{{44,80}}"),
    ("buildkite_token", "bkua_ bkct_", "[a-z0-9]{40}"),
    ("circleci_token", "CCIPAT_ CCIPRJ_", f"{_X}{{22}}_{_H}{{40}}"),
    ("clojars_token", "CLOJARS_", "[a-z0-9]{60}"),
    ("prefect_key", "pnu_ pnb_", f"{_X}{{36}}"),
    ("readme_key", "rdme_", "[a-z0-9]{70}"),
    ("adafruit_key", "aio_", f"{_X}{{28}}"),
    ("hubspot_token", "pat-na1- pat-na2- pat-eu1- pat-ap1-", _UUID),
    ("age_key", "AGE-SECRET-KEY-1", "[02-9AC-HJ-NP-Z]{58}"),
    ("cloudflare_origin_key", "v1.0-", f"{_H}{{24}}-{_H}{{100,160}}"),
)

# Without a separator of their own: they stand alone or they are part of something else, base64 most of all.
BARE: tuple[tuple[str, str, str], ...] = (
    ("twilio_key", "SK", f"{_H}{{32}}"),
    ("crates_io_token", "cio", f"{_X}{{32}}"),
    ("nuget_key", "oy2", "[a-z0-9]{43}"),
    ("alibaba_key_id", "LTAI", f"{_X}{{16,26}}"),
    ("facebook_token", "EAA", f"{_X}{{100,400}}"),
    ("square_token", "EAAA", f"{_W}{{60}}"),
    ("easypost_key", "EZAK EZTK", f"{_X}{{54}}"),
    ("artifactory_key", "AKCp", f"{_X}{{69}}"),
    ("artifactory_key", "cmVmdGtu", f"{_X}{{56}}"),
    ("atlassian_token", "ATATT3 ATCTT3", "[A-Za-z0-9_=-]{60,260}"),
    ("bitbucket_token", "ATBB", f"{_X}{{32}}"),
)


def _rows(table: Iterable[tuple[str, str, str]], start: bytes, end: bytes) -> Iterator[Rule]:
    for name, words, rest in table:
        marks = tuple(word.encode() for word in words.split())
        tail = end or (URL_END if "_-]" in rest else END)
        begin = start + b"(?:" + b"|".join(map(re.escape, marks)) + b")"
        yield Rule(name, marks, at_mark(begin + b"(?>" + rest.encode() + b")" + tail))


_PEM = rb"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_PEM_END = rb"-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_PEM_BODY = rb'(?:[^"\\-]|\\.|-(?!----BEGIN)){0,20000}?'  # stays inside one JSON string, and short of the next key
_PEM_CUT = "(?:[A-Za-z0-9+/=:,\\s]|→|\\\\{1,8}[nrt]){40,20000}+".encode()  # a key whose end was cut off
_PEM_BASE64 = (rb"LS0tLS1CRUdJTi[A-Za-z0-9+/]{0,24}(?:BQUklWQVRFIEtFW|UFJJVkFURSBLRVkt|BSSVZBVEUgS0VZ)"
               rb"[A-Za-z0-9+/]{40,20000}={0,2}")
_PEM_RULE = b"(?s:" + _PEM + b"(?:" + _PEM_BODY + _PEM_END + b"|" + _PEM_CUT + b"))"

_SLACK_HOOK = (rb"hooks\.slack\.com\\{0,7}/(?:services|workflows)\\{0,7}/"
               rb"(T[A-Z0-9]{6,14}\\{0,7}/[A-Z0-9]{6,14}\\{0,7}/[A-Za-z0-9]{18,30})")
_DISCORD_HOOK = rb"discord(?:app)?\.com\\{0,7}/api\\{0,7}/webhooks\\{0,7}/([0-9]{15,22}\\{0,7}/[A-Za-z0-9_-]{50,90})"
_JWT = (ALONE + rb"eyJ[A-Za-z0-9_-]{10,2000}+\.eyJ[A-Za-z0-9_-]{10,8000}+\.[A-Za-z0-9_-]{20,1400}+" + URL_END)

KINDS: tuple[Rule, ...] = (
    Rule("private_key", (b"-----BEGIN ",), at_mark(_PEM_RULE, holds=rb"[A-Za-z0-9+/]{12}")),
    Rule("private_key", (b"LS0tLS1CRUdJTi",), at_mark(_PEM_BASE64)),
    Rule("aws_access_key_id", (b"AKIA", b"ASIA", b"ABIA", b"ACCA"),
         at_mark(START + rb"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}" + END)),
    *_rows(PREFIXED, START, b""),
    *_rows(BARE, ALONE, ALONE_END),
    Rule("grafana_token", (b"glc_eyJ",), at_mark(START + rb"glc_eyJ[A-Za-z0-9+/]{30,400}={0,2}" + ALONE_END)),
    Rule("sentry_token", (b"sntrys_eyJ",), at_mark(START + rb"sntrys_eyJ[A-Za-z0-9+/=_-]{60,600}" + ALONE_END)),
    Rule("fly_token", (b"fm1r_", b"fm1a_", b"fm2_"), at_mark(START + rb"fm(?:1[ar]|2)_[A-Za-z0-9+/]{60,4000}={0,3}")),
    Rule("one_password_token", (b"ops_eyJ",), at_mark(START + rb"ops_eyJ[A-Za-z0-9+/=_-]{200,2000}" + ALONE_END)),
    Rule("slack_webhook", (b"hooks.slack.com",), at_mark(_SLACK_HOOK)),
    Rule("discord_webhook", (b"discord.com", b"discordapp.com"), at_mark(_DISCORD_HOOK)),
    Rule("azure_storage_key", (b"AccountKey=",), at_mark(rb"AccountKey=((?:[A-Za-z0-9+/]|\\{1,7}/){86,100}==)")),
    Rule("azure_storage_key", (b"SharedAccessKey=",), at_mark(
        rb"SharedAccessKey=((?:[A-Za-z0-9+/]|\\{1,7}/){43,60}=)")),
    Rule("azure_signature", (b"sig=",), at_mark(rb"(?<=[?&;6])sig=([A-Za-z0-9%]{43,90}%3[Dd])")),
    Rule("azure_client_secret", (b"Q~",), around_mark(
        ALONE + rb"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])", range(4, 5))),
    Rule("telegram_token", (b":AA",), around_mark(START + rb"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}" + URL_END, range(8, 11))),
    Rule("mailchimp_key", (b"-us",), around_mark(ALONE + rb"[0-9a-f]{32}-us[0-9]{1,2}" + END, range(32, 33))),
    Rule("terraform_token", (b".atlasv1.",), around_mark(
        START + rb"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,90}" + URL_END, range(14, 15))),
    Rule("jwt", (b"eyJ",), at_mark(_JWT)),
)
