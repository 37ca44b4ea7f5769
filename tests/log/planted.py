"""Values that look like secrets, put together when a test runs: no line of this repository holds one."""

import base64
from collections.abc import Callable
from random import Random

SMALL = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"
HEX = DIGITS + "abcdef"
MIXED = SMALL + SMALL.upper() + DIGITS


def planted(seed: int = 1) -> dict[str, tuple[str, str]]:
    """Kind -> (the text it stands in, the secret itself). Drawn anew for each seed; a kind may have a number behind it.

    A value without a mark of its own has one of each sort of character, as nearly all that are drawn have.
    """
    dice = Random(seed)

    def drawn(length: int, letters: str = MIXED) -> str:
        return "".join(dice.choice(letters) for _ in range(length))

    def mixed(length: int) -> str:
        groups = length // 4
        return "".join(drawn(1, SMALL) + drawn(1, DIGITS) + drawn(1, SMALL.upper()) + drawn(1) for _ in range(groups))

    return _marked(drawn) | _named(drawn, mixed) | _sent(drawn, mixed)


def _marked(drawn: Callable[..., str]) -> dict[str, tuple[str, str]]:
    uuid = "-".join(drawn(length, HEX) for length in (8, 4, 4, 4, 12))
    pem = "".join(f"{drawn(64)}\n" for _ in range(6))
    cut = "-----BEGIN " + "{} PRIVATE KEY-----\n" + pem
    values = {
        "private_key": cut.format("RSA") + "-----END " + "RSA PRIVATE KEY-----",
        "private_key 2": cut.format("OPENSSH") + "-----END " + "OPENSSH PRIVATE KEY-----",
        "private_key 3": base64.b64encode((cut.format("EC") + "-----END " + "EC PRIVATE KEY-----").encode()).decode(),
        "aws_access_key_id": "AK" + "IA" + drawn(16, SMALL.upper() + "234567"),
        "github_token": "gh" + "p_" + drawn(36),
        "github_token 2": "github" + "_pat_" + drawn(22) + "_" + drawn(59),
        "gitlab_token": "gl" + "pat-" + drawn(20, MIXED + "_-") + "Q",
        "anthropic_key": "sk-" + "ant-api03-" + drawn(93, MIXED + "_-") + "AA",
        "openai_key": "sk-" + "proj-" + drawn(120, MIXED + "_-") + "A",
        "openai_key 2": "sk-" + drawn(48),
        "openrouter_key": "sk-" + "or-v1-" + drawn(64, HEX),
        "google_api_key": "AI" + "za" + drawn(34, MIXED + "_-") + "x",
        "google_oauth_secret": "GOC" + "SPX-" + drawn(27) + "b",
        "google_oauth_token": "ya" + "29." + drawn(120, MIXED + "_-") + "x",
        "slack_token": "xo" + f"xb-{drawn(12, DIGITS)}-{drawn(13, DIGITS)}-{drawn(24)}",
        "slack_webhook": f"T{drawn(8, DIGITS)}/B{drawn(10, DIGITS)}/{drawn(24)}",
        "discord_webhook": f"{drawn(18, DIGITS)}/{drawn(68)}",
        "stripe_key": "sk_" + "live_" + drawn(24),
        "npm_token": "np" + "m_" + drawn(36),
        "pypi_token": "py" + "pi-AgEIcHlwaS5vcmc" + drawn(150, MIXED + "_-") + "x",
        "hugging_face_token": "h" + "f_" + drawn(34),
        "docker_token": "dckr" + "_pat_" + drawn(27),
        "shopify_token": "sh" + "pat_" + drawn(32, HEX),
        "digitalocean_token": "do" + "p_v1_" + drawn(64, HEX),
        "linear_key": "lin" + "_api_" + drawn(40),
        "notion_token": "nt" + "n_" + drawn(46),
        "sendgrid_key": "S" + f"G.{drawn(22)}.{drawn(43)}",
        "vault_token": "hv" + "s." + drawn(90) + "x",
        "databricks_token": "da" + "pi" + drawn(32, HEX),
        "postman_key": "PM" + f"AK-{drawn(24, HEX)}-{drawn(34, HEX)}",
        "grafana_token": "gl" + f"sa_{drawn(32)}_{drawn(8, HEX)}",
        "atlassian_token": "ATA" + "TT3" + drawn(180) + "=" + drawn(8, HEX.upper()),
        "telegram_token": drawn(1, "123456789") + drawn(9, DIGITS) + ":A" + "A" + drawn(33),
        "mailchimp_key": drawn(32, HEX) + "-u" + "s12",
        "hubspot_token": "pat-" + "na1-" + uuid,
        "groq_key": "gs" + "k_" + drawn(52),
        "replicate_token": "r" + "8_" + drawn(37),
        "tailscale_key": "tskey" + f"-auth-{drawn(17)}-{drawn(32)}",
        "age_key": "AGE-SECRET" + "-KEY-1" + drawn(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
        "doppler_token": "dp" + ".pt." + drawn(43),
        "nuget_key": "o" + "y2" + drawn(43, SMALL + DIGITS),
        "terraform_token": drawn(14) + ".atlas" + "v1." + drawn(67),
        "azure_client_secret": drawn(3) + "8" + "Q" + "~" + drawn(34),
        "jwt": "ey" + f"J{drawn(34)}.ey" + f"J{drawn(80)}.{drawn(43)}",
    }
    around = {"slack_webhook": "https://hooks.slack.com/services/", "discord_webhook": "https://discord.com/api/webhooks/"}
    return {kind: (around.get(kind, "") + value, value) for kind, value in values.items()}


def _named(drawn: Callable[..., str], mixed: Callable[[int], str]) -> dict[str, tuple[str, str]]:
    aws, token, app, word = drawn(39, MIXED + "/+") + "Q", mixed(40), mixed(32), mixed(12) + "!"
    azure = drawn(86, MIXED + "+") + "=="
    return {
        "aws_secret_access_key": (f"AWS_SECRET_ACCESS_KEY={aws}", aws),
        "secret_by_name": (f"GAUGE_API_TOKEN={token}", token),
        "secret_by_name 2": (f'client_secret: "{app}"', app),
        "password": (f"DB_PASSWORD={word}", word),
        "azure_storage_key": (f"AccountName=harbour;AccountKey={azure};EndpointSuffix=core.windows.net", azure),
    }


def _sent(drawn: Callable[..., str], mixed: Callable[[int], str]) -> dict[str, tuple[str, str]]:
    bearer, cookie, word = mixed(40), mixed(32), mixed(16)
    basic = base64.b64encode(f"ines:{mixed(20)}".encode()).decode()
    return {
        "bearer_token": (f"curl -H 'Authorization: Bearer {bearer}' https://api.example.org", bearer),
        "basic_credentials": (f"Authorization: Basic {basic}", basic),
        "cookie": (f"Cookie: theme=dark; session={cookie}; lang=en", cookie),
        "url_password": (f"postgres://tides:{word}@db.example.org:5432/tides", word),
    }
