"""Many kinds of secrets in many forms are found, and what only looks like one is not."""

import json
import re
import sysconfig
import time
import uuid
from base64 import b64encode, urlsafe_b64encode
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhizome.log.door import Door
from rhizome.log.secrets import matching
from rhizome.log.secrets.kinds import BARE, PREFIXED
from tests.log.planted import planted

DOOR = Door(key=bytes(32))
ROOT = Path(__file__).parents[2]
SECRETS = planted()
ROWS = [(name, mark, rest) for name, marks, rest in (*PREFIXED, *BARE) for mark in marks.split()]
AROUND = ["{}", "{}\n", "see {}, please", "line\n{}\nline", "\t{}", "({})", "key = '{}'", "\x1b[01;31m\x1b[K{}\x1b[m"]
ALPHABETS = ["0123456789abcdef", "0123456789ABCDEF", "abcdefghijklmnopqrstuvwxyz0123456789",
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"]


def deep(text: str, depth: int) -> str:
    for _ in range(depth):
        text = json.dumps({"text": text})
    return text


def shallow(text: str, depth: int) -> str:
    for _ in range(depth):
        text = json.loads(text)["text"]
    return text


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
@pytest.mark.parametrize("kind", SECRETS)
def test_a_planted_secret_is_replaced_plain_escaped_and_escaped_again(kind: str, depth: int) -> None:
    text, secret = SECRETS[kind]
    for around in AROUND:
        cleaned = DOOR.clean(deep(around.format(text), depth))
        mark = f"[secret:{kind.split()[0]}:{DOOR.fingerprint(secret)}]"

        assert around.format(text).replace(secret, mark) == shallow(cleaned.text, depth), around
        assert cleaned.rules == {kind.split()[0]: 1}


@pytest.mark.parametrize("seed", range(2, 12))
def test_other_draws_of_every_kind_are_found_too(seed: int) -> None:
    missed = {kind: text for kind, (text, secret) in planted(seed).items() if secret in DOOR.clean(text).text}

    assert missed == {}


@pytest.mark.parametrize(("name", "mark", "rest"), ROWS, ids=lambda part: str(part)[:24])
@settings(max_examples=3)
@given(data=st.data())
def test_each_row_finds_what_it_describes(name: str, mark: str, rest: str, data: st.DataObject) -> None:
    value = mark + data.draw(st.from_regex(re.compile(rest, re.ASCII), fullmatch=True))

    cleaned = DOOR.clean(json.dumps({"text": f"before\n{value}\nafter"}))

    assert json.loads(cleaned.text)["text"].startswith("before\n[secret:")
    assert cleaned.redacted == 1


@pytest.mark.parametrize("kind", ["github_token", "aws_access_key_id"])
def test_a_token_that_a_name_is_glued_to_is_found(kind: str) -> None:
    text, secret = next(each for name, each in SECRETS.items() if name.split()[0] == kind)

    assert secret not in DOOR.clean(text.replace(secret, f"tool_{secret}")).text


def test_there_are_rules_for_more_than_forty_kinds() -> None:
    assert len({rule.name for rule in matching.RULES}) > 75


def test_both_copies_of_a_value_in_one_record_are_cleaned() -> None:
    _, secret = SECRETS["secret_by_name"]
    record = {"message": f"GAUGE_API_TOKEN={secret}", "toolUseResult": {"stdout": f"it is {secret}, I think"}}

    cleaned = DOOR.clean(json.dumps(record))

    assert cleaned.redacted == 2
    assert secret not in cleaned.text


def test_a_copy_that_is_escaped_otherwise_is_the_same_secret() -> None:
    secret = SECRETS["aws_secret_access_key"][1][:20] + "/" + SECRETS["aws_secret_access_key"][1][21:]
    other = secret.replace("/", "\\/")

    cleaned = DOOR.clean(f'{{"a": "aws_secret_access_key={secret}", "b": "and {other}"}}')

    assert cleaned.redacted == 2
    assert len(set(re.findall(r"\[secret:[^]]+]", cleaned.text))) == 1


@pytest.mark.parametrize("text", [
    'password = "{}"', "PASSWORD: {}", '"password": "{}"', "--password {}", "passwd='{}'", "export PGPASSWORD={}",
    'os.environ["DB_PASSWORD"] = "{}"', "pwd={};", "mysql --password={} tides",
])
def test_a_password_is_known_by_its_name(text: str) -> None:
    assert DOOR.clean(text.format("Gr4u-" + "Reiher!9")).rules == {"password": 1}


@pytest.mark.parametrize("text", [
    "password = getpass.getpass()", "password=os.environ['PGPASSWORD']", "password: str = field(repr=False)",
    'password: "{}"', "PASSWORD=$PGPASSWORD", "password=<your-password>", "token = self.next_token()",
    "token: ${{ secrets.GITHUB_TOKEN }}", '"input_tokens":125,"cache_read_input_tokens":15125', "PWD=/home/ines/src/t1",
    "SECRET_KEY_FILE=/run/secrets/app2/key3", '"nextPageToken":"CAoQAhoGCgQI7bDPBhD4x9d7Ag3"', "secret_name: tides-2",
    "password_hash=5f4dcc3b5aa765d61d8327deb882cf99", 'api_key="your-api-key-123456"', "CACHE_KEY=linux-9f86d081884c",
    "private_key: x25519.X25519PrivateKey", "postgres://postgres:postgres@localhost/x", "https://user:pass@host/",
    "Authorization: Bearer $TOKEN", "Authorization: Bearer <token>", "basic usage: read the manual", "Basic YWJjZGVm",
    "the bearer of this-long-letter-of-2026", "git@github.com:ines/tidepool.git", "redis://localhost:6379/0",
    "http://[::1]:8080/@me", "Cookie: theme=dark; lang=en", "risk_0123456789abcdef0123456789abcdef0123456789abcdef",
    "https://hooks.slack.com/services/", "eyJhbGciOiJIUzI1NiJ9", "token=87237015-0c94-48a3-939a-458705170700",
])
def test_what_is_named_like_a_secret_and_is_none_passes(text: str) -> None:
    assert text == DOOR.clean(text).text


def test_no_alarm_over_this_repository() -> None:
    folders = ("rhizome", "tests", "docs", "benchmarks", "notes-template")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".md", ".txt"}]

    assert [str(path) for path in files if DOOR.clean(path.read_text("utf-8", "surrogateescape")).redacted] == []


def test_no_alarm_over_the_standard_library() -> None:
    library = Path(sysconfig.get_path("stdlib"))
    sources = [path for path in library.rglob("*.py") if "site-packages" not in path.parts]

    assert len(sources) > 500
    assert [str(path) for path in sources if DOOR.clean(path.read_text("utf-8", "surrogateescape")).redacted] == []


@pytest.mark.parametrize("seed", range(3))
def test_no_alarm_over_ids_hashes_and_images(seed: int) -> None:
    dice = Random(seed)
    ids = [str(uuid.UUID(int=dice.getrandbits(128), version=4)) for _ in range(3_000)]
    names = ("commit", "sha256", "id", "uuid", "etag", "blob", "key", "trace_id", "msg", "toolu", "req", "call", "v")
    for length in (7, 16, 20, 24, 32, 40, 64):
        ids += ["".join(dice.choices(letters, k=length)) for letters in ALPHABETS for _ in range(300)]
    listed = "\n".join(f"{dice.choice(names)}{dice.choice(' _:=-/.')}{each}" for each in ids)
    images = "\n".join(f"data:image/png;base64,{b64encode(dice.randbytes(60_000)).decode()}" for _ in range(10))
    wrapped = re.sub("(.{76})", r"\1\n", b64encode(dice.randbytes(300_000)).decode())

    assert DOOR.clean(listed).rules == {}
    assert DOOR.clean(json.dumps(images)).rules == {}
    assert DOOR.clean(wrapped).rules == {}
    assert DOOR.clean(urlsafe_b64encode(dice.randbytes(300_000)).decode()).rules == {}


@pytest.mark.parametrize("seed", range(3))
def test_no_alarm_over_minified_code(seed: int) -> None:
    dice = Random(seed)
    words = ["password", "token", "secret", "apiKey", "key", "cookie", "auth", "e", "t", "n", "value", "this", "sk"]
    parts = ["{0}.{1}={2}({3})", "{0}:{1}.{2}", "if({0}==={1}.{2})return!{3}", "{0}=function({1}){{return {2}}}",
             '{0}:"{1}"', "{0}=e[{1}]||{2}", "{0}:void 0", '{0}="{1}-{2}-{3}"', "{0}=t?{1}:n.{2}"]
    code = ";".join(dice.choice(parts).format(*(dice.choice(words) + dice.choice(["", "", "1", "s", "_2"])
                                                for _ in range(4))) for _ in range(20_000))

    assert DOOR.clean(code).rules == {}


@pytest.mark.parametrize("depth", [0, 1])
@pytest.mark.parametrize(("kind", "slash"), [
    ("aws_secret_access_key", "/"), ("secret_by_name", "/"), ("slack_webhook", ""), ("url_password", "")])
def test_slashes_that_are_escaped_in_json_hide_nothing(kind: str, slash: str, depth: int) -> None:
    text, secret = SECRETS[kind]
    other = secret[:20] + (slash or secret[20:21]) + secret[21:]
    line = deep(json.dumps(text.replace(secret, other)).replace("/", "\\/"), depth)

    cleaned = DOOR.clean(line)

    mark = f"[secret:{kind}:{DOOR.fingerprint(other)}]"
    assert text.replace(secret, mark) == json.loads(shallow(cleaned.text, depth))


@pytest.mark.parametrize("hostile", [
    "Cookie: a=b;", "cookie: ", "_KEY=a", "pwd", "ecret", "OKEN=aB3 ", "://a:b", "-----BEGIN PRIVATE KEY-----MIIE\\n",
    "glpat-", "-eyJa.", "LS0tLS1CRUdJTi", "aws_secret_access_key=",
])
def test_hostile_repetition_of_200_kb_stays_linear(hostile: str) -> None:
    def cost(length: int) -> float:
        start = time.process_time()
        DOOR.clean(hostile * (length // len(hostile)))
        return time.process_time() - start

    assert cost(200_000) < 40 * cost(25_000) + 0.5


def test_rules_that_share_a_place_agree_on_one_name() -> None:
    _, secret = SECRETS["github_token"]

    assert DOOR.clean(f"https://x:{secret}@github.com and GITHUB_TOKEN={secret}").rules == {"github_token": 2}


def test_an_allowed_value_passes_in_every_form() -> None:
    text, secret = SECRETS["aws_secret_access_key"]
    door = Door(bytes(32), allow=[secret])

    assert [door.clean(deep(text, depth)).redacted for depth in range(3)] == [0, 0, 0]


@given(st.lists(st.sampled_from(sorted(SECRETS)), max_size=4), st.lists(st.text(max_size=20), min_size=5, max_size=5))
def test_what_comes_out_is_clean_and_still_a_line_of_json(kinds: list[str], between: list[str]) -> None:
    texts = [SECRETS[kind][0] for kind in kinds]
    line = json.dumps({"text": "\n".join(part for pair in zip(between, [*texts, ""], strict=False) for part in pair)})

    once = DOOR.clean(line)

    assert isinstance(json.loads(once.text)["text"], str)
    assert not [kind for kind in kinds if json.dumps(SECRETS[kind][1])[1:-1] in once.text]
    assert once.text == DOOR.clean(once.text).text


@given(st.text())
def test_a_text_without_secrets_is_the_same_text(text: str) -> None:
    cleaned = DOOR.clean(text)

    assert cleaned.redacted or cleaned.text == text
