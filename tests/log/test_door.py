"""No secret passes the door, and nothing else is stopped there."""

import base64
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.log.door import Door

SAMPLES = Path(__file__).parents[2] / "examples" / "sessions"
DOOR = Door(key=bytes(32))
B64 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + (B64 + "/+\n") * 6 + "-----END RSA PRIVATE KEY-----"

SECRETS = {
    "aws_access_key_id": "AKIA" + "QWERTYUIOPASDF27",
    "aws_secret_access_key": "AWS_SECRET_ACCESS_KEY=" + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYSAMPLE+KEY",
    "github_token": "ghp_" + B64[:36],
    "gitlab_token": "glpat-" + "x7Yw-9Q_2mNbVcXz1LkJ",
    "anthropic_key": "sk-ant-api03-" + B64 + "-_AA",
    "openai_key": "sk-proj-" + B64 + "_-x",
    "google_api_key": "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6q",
    "slack_token": "xoxb-" + "123456789012-1234567890123-abcDEF123ghi",
    "stripe_key": "sk_live_" + B64[:24],
    "npm_token": "npm_" + B64[:36],
    "hugging_face_token": "hf_" + B64[:34],
    "private_key": PEM,
}
MORE = ["gho_" + B64[:36], "ghs_" + B64[:36], "github_pat_" + B64[:22] + "_" + B64[:59], "sk-" + B64[:48],
        "sk-or-v1-" + "0123456789abcdef" * 4, "rk_live_" + B64[:24], "ASIA" + "QWERTYUIOPASDF27",
        "xoxp-1-" + B64[:40], PEM.replace("RSA ", ""), PEM.replace("RSA ", "OPENSSH ")]
AROUND = ['{}', 'token={}', '"{}"', 'see {}, please', 'line\n{}\nline', '\t{}', '({})', 'https://x:{}@host/']


def secret_in(text: str) -> str:
    return text.removeprefix("AWS_SECRET_ACCESS_KEY=")


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("rule", SECRETS)
def test_a_secret_becomes_its_rule_and_fingerprint(rule: str, around: str) -> None:
    cleaned = DOOR.clean(around.format(SECRETS[rule]))

    assert Counter({rule: 1}) == cleaned.rules
    assert secret_in(SECRETS[rule]) not in cleaned.text
    assert f"[secret:{rule}:{DOOR.fingerprint(secret_in(SECRETS[rule]))}]" in cleaned.text


@pytest.mark.parametrize("secret", MORE, ids=lambda secret: secret[:24])
def test_other_forms_of_the_same_secrets_are_found_too(secret: str) -> None:
    assert DOOR.clean(f"key: {secret}").redacted == 1


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("rule", SECRETS)
def test_a_line_of_json_stays_json_however_deep_the_secret_is_escaped(rule: str, around: str, depth: int) -> None:
    value: object = around.format(SECRETS[rule])
    for _ in range(depth):
        value = json.dumps({"text": value})

    cleaned = DOOR.clean(str(value))

    value = cleaned.text
    for _ in range(depth):
        value = json.loads(str(value))["text"]
    assert around.format(SECRETS[rule]).replace(
        secret_in(SECRETS[rule]), "@") == str(value)[:str(value).index("[secret:")] + "@" + str(value).partition("]")[2]


def test_every_mention_of_a_secret_goes_once_one_of_them_was_recognised() -> None:
    named, value = SECRETS["aws_secret_access_key"], secret_in(SECRETS["aws_secret_access_key"])

    cleaned = DOOR.clean(f"{named}; you sent me {value} there")

    assert cleaned.redacted == 2
    assert value not in cleaned.text


def test_a_private_key_cut_off_before_its_end_goes_too() -> None:
    cleaned = DOOR.clean(PEM[:300])

    assert cleaned.rules == {"private_key": 1}
    assert "MNOPQ" not in cleaned.text


def test_a_private_key_never_reaches_into_the_next_string() -> None:
    line = json.dumps({"begin": "-----BEGIN PRIVATE KEY-----", "end": "-----END PRIVATE KEY-----"})

    assert line == DOOR.clean(line).text


def test_an_allowed_value_passes() -> None:
    assert Door(bytes(32), allow=[SECRETS["github_token"]]).clean(SECRETS["github_token"]).redacted == 0


def test_another_key_gives_another_fingerprint() -> None:
    assert DOOR.clean(SECRETS["npm_token"]).text != Door(bytes(31) + b"\1").clean(SECRETS["npm_token"]).text


def test_the_samples_hold_two_secrets_and_lose_both_wherever_they_occur() -> None:
    wanted = json.loads((SAMPLES / "expected_import.json").read_text(encoding="utf-8"))["redact"]
    lines = (SAMPLES / wanted[0]["file"]).read_text(encoding="utf-8").split("\n")

    cleaned = [DOOR.clean(line) for line in lines]

    assert {rule["kind"]: 2 for rule in wanted} == sum((Counter(each.rules) for each in cleaned), Counter())
    assert not [rule for rule in wanted if any(rule["literal"] in each.text for each in cleaned)]


def test_no_other_sample_raises_an_alarm() -> None:
    allowed = [rule["literal"] for rule in json.loads((SAMPLES / "expected_import.json").read_text("utf-8"))["redact"]]
    files = [path for path in SAMPLES.rglob("*") if path.is_file()]

    assert {path: found.rules for path in files
                  if (found := Door(bytes(32), allow=allowed).clean(path.read_text("utf-8", "replace"))).redacted} == {}


@pytest.mark.parametrize("text", [
    "commit 8999914c0f3b2a1e4d5c6b7a8990f1e2d3c4b5a6", "87237015-0c94-48a3-939a-458705170700", "sha256:" + "0f" * 32,
    "task-" + "a1b2c3d4" * 5, "risk-assessment-of-the-whole-disk-subsystem", "export AWS_SECRET_ACCESS_KEY=$SECRET",
    "xoxb-your-token-here", "npm_config_registry=https://example.org", "the PRIVATE KEY is elsewhere",
    "-----BEGIN PRIVATE KEY----- starts a key", "toolu_01WBMRATHAODLCGRABFVLIRT", "hf_hub_download(repo_id)",
    "secret_access_key: " + "x" * 41, base64.b64encode(bytes(range(256)) * 300).decode(),
])
def test_what_only_looks_like_a_secret_passes_untouched(text: str) -> None:
    assert text == DOOR.clean(text).text


AWS_NAMES = ["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "awsSecretAccessKey", "SecretAccessKey",
             "Aws_Secret_Key", "aws-secret-access-key", "AWS_SECRET_KEY", "secretaccesskey"]


@pytest.mark.parametrize("name", AWS_NAMES)
@pytest.mark.parametrize("sign", ["=", ": ", " = ", '": "', r'\": \"', "='", " => ", "\t"])
def test_an_aws_secret_is_known_by_its_name_before_it(name: str, sign: str) -> None:
    value = secret_in(SECRETS["aws_secret_access_key"])

    assert DOOR.clean(f"{name}{sign}{value}'").rules == {"aws_secret_access_key": 1}
    assert DOOR.clean(f"{name}{sign}{value.replace('/', chr(92) + '/')}'").redacted == 1


@given(st.text(), st.sampled_from(sorted(SECRETS)), st.text())
def test_cleaning_twice_changes_nothing(before: str, rule: str, after: str) -> None:
    once = DOOR.clean(f"{before} {SECRETS[rule]} {after}")

    assert secret_in(SECRETS[rule]) not in once.text
    assert once.text == DOOR.clean(once.text).text


@pytest.mark.parametrize("hostile", ["-----BEGIN PRIVATE KEY-----", "sk-ant-", "AKIA", "xoxb-1-", "glpat-", "ghp_",
                                     "aws_secret_access_key=", "sk-", "-----BEGIN A PRIVATE KEY-----MIIE\\n", "eyJ"])
def test_hostile_repetition_is_read_and_survives(hostile: str) -> None:
    assert DOOR.clean(hostile * (60_000 // len(hostile))).text
