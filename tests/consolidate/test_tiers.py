"""What may be shared, and what stays on this machine."""

import time

import pytest

from rhizome.consolidate.tiers import decide, is_person, reason
from rhizome.model import Tier

PROJECT = [
    "tidepool uses uv only (uv sync, uv run); never pip", "The dev server runs on port 8087",
    "Release from branch stable, tag format vYYYY.MM.N", "On-call rotates on Mondays at 09:00 UTC",
    "Map tiles only from tiles.example.org", "the remote is git@github.com:tidepool/tidepool.git",
    "mail goes out as noreply@example.com", "Orçamento total de 400 reais", "Teto do recuo exponencial: 2 minutos",
    "リリースは毎週木曜日の午前、金曜日には出さない", "同期間隔は10分（以前は15分）",
    "run `rhizome doctor` and the health check first", "Address sanitizer is on in CI",
    "commit 3f2a9c1d2b6e, build 1761638400123, at 1761638400123456", "192.168.100.20 answers on 5432",
    "We pin dependencies in uv.lock", "LED on GPIO pin 13", "set DB_PASSWORD in .env, the column is password_hash",
    "pin the header to the top", "Exit code 2 means refused", "the status code is 404", "Postgres needs a passcheck",
    "timeouts: 2026-10-14T10:00:00+02:00, 10 000 000 rows", "La consulta tarda 20 minutos",
]
PERSONAL = {
    "money": ["Her salary is 4,000 a month", "o salário dele subiu", "mi hipoteca vence en mayo", "年収は600万円です"],
    "health": ["no meetings before 11 (physio)", "foi diagnosticada em março", "tiene cita médica el martes",
               "毎週火曜日に通院している", "she is allergic to nuts"],
    "identity": ["my birthday is in May", "meu endereço mudou", "mi hija empieza el colegio", "生年月日は非公開"],
    "secret": [
        "The garage password is hunter2secret.", "The PIN is 4711", "Ada's phone passcode changed",
        "the door code is 1234#",
        "the wallet's recovery phrase lies in the safe", "combination to the lockbox: 12-34-56",
        "backup codes are in the drawer",
        "a senha do wifi é maresia22", "o código do portão é 4411", "a frase de recuperação fica no cofre",
        "meu PIN mudou",
        "la contraseña del router es marea", "el código de la puerta es 9090", "mi pin es 1234",
        "Das WLAN-Passwort lautet gezeiten", "die Geheimzahl ist 4711", "Türcode 4411",
        "die Wiederherstellungsphrase liegt im Safe",
        "ガレージのパスワードは満潮です", "暗証番号は4711です", "PINは1234", "リカバリーフレーズは金庫にある",
    ],
    "email": ["write to ines.duarte@tidepool.io"],
    "phone": ["call +351 912 345 678", "(11) 98765-4321", "090-1234-5678", "555-123-4567"],
    "card": ["4111 1111 1111 1111 is on file"],
    "iban": ["pay to DE89 3704 0044 0532 0130 00"],
    "cpf": ["nota para 529.982.247-25"],
    "dni": ["firma 12345678Z"],
}


@pytest.mark.parametrize("statement", PROJECT)
def test_what_a_project_says_of_itself_is_green(statement: str) -> None:
    assert (reason(statement), decide("tidepool", "tidepool", [statement])) == ("", Tier.GREEN)


@pytest.mark.parametrize(("why", "statement"), [(why, each) for why, all_ in PERSONAL.items() for each in all_])
def test_what_belongs_to_somebody_is_amber(why: str, statement: str) -> None:
    assert (reason(statement), decide("tidepool", "tidepool", ["ok", statement])) == (why, Tier.AMBER)


@pytest.mark.parametrize(("statement", "detector"), [
    ("4111 1111 1111 1112 is a row", "card"), ("DE89 3704 0044 0532 0130 01", "iban"), ("529.982.247-26", "cpf"),
    ("12345678A", "dni"), ("111.111.111-11", "cpf")])
def test_a_number_whose_check_digits_do_not_fit_is_only_a_number(statement: str, detector: str) -> None:
    assert reason(statement) != detector


@pytest.mark.parametrize("scope", ["user:ines", "user", ""])
def test_a_persons_scope_is_amber(scope: str) -> None:
    assert decide(scope, "tidepool", ["uses uv"]) is Tier.AMBER


@pytest.mark.parametrize("scope", ["userland", "users", "tidepool"])
def test_a_project_may_be_called_nearly_like_a_person(scope: str) -> None:
    assert decide(scope, "tidepool", ["uses uv"]) is Tier.GREEN


def test_a_key_about_a_person_is_amber() -> None:
    assert decide("tidepool", "Inês", ["prefers tabs"], people=["inês"]) is Tier.AMBER
    assert decide("tidepool", "tidepool", ["prefers tabs"], people=["inês"]) is Tier.GREEN
    assert all(map(is_person, ["me", "I", "@bo", "ユーザー", "usuário"]))


@pytest.mark.parametrize("key", ["garage|password", "garage door|pin_code", "wifi password|value", "cofre|senha",
                                 "garagem|código_do_alarme", "ガレージ|暗証番号"])
def test_a_key_about_what_opens_something_is_amber_whatever_the_words(key: str) -> None:
    subject, attribute = key.split("|")

    assert decide("tidepool", subject, ["It is hunter2secret."], attribute=attribute) is Tier.AMBER


@pytest.mark.parametrize(("hint", "tier"), [("amber", "amber"), ("teal", "amber"), ("green", "green"), (None, "green")])
def test_a_hint_only_raises(hint: str | None, tier: str) -> None:
    assert decide("tidepool", "tidepool", ["uses uv"], hint=hint) == tier
    assert decide("tidepool", "tidepool", ["my salary"], hint=hint) is Tier.AMBER


def test_a_profile_is_always_a_persons() -> None:
    assert decide("tidepool", "tidepool", ["uses uv"], type="profile") is Tier.AMBER


@pytest.mark.parametrize("filler", ["a@", "+1 2 ", "4 ", "DE89 ", "1.", "(11) ", "x" * 9 + "@a.", "٣", "0-"])
def test_a_hundred_thousand_characters_of_nearly_a_number_are_no_trap(filler: str) -> None:
    """Linear takes a tenth of a second; a pattern that backtracks would take minutes."""
    began = time.process_time()

    reason(filler * (100_000 // len(filler)))
    assert time.process_time() - began < 10
