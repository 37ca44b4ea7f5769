"""A value that changes, in whatever words: the new one has the key of the old one, so that nothing stale is current."""

from collections.abc import Callable

import pytest

from rhizome.model import Draft

CHANGES: tuple[tuple[str, str, str], ...] = (
    ("The dev server runs on port 8080.", "Port 8080 is taken, use 8087 instead.", "8087"),
    ("The dev server runs on port 8080.", "Let's use 8087 for the dev server instead.", "8087"),
    ("The dev port is 8080.", "Change of plan: 8087.", "8087"),
    ("The sync interval is 15 minutes.", "Sync every 5 minutes from now on.", "5 minutes"),
    ("We use npm.", "Actually we moved to pnpm last month.", "pnpm"),
    ("We use Postgres.", "We switched to MySQL.", "MySQL"),
    ("Deploys happen on Thursdays.", "We deploy on Mondays now.", "Mondays"),
    ("Deploys happen on Thursdays.", "Thursday doesn't work any more, we moved deploys to Tuesdays.", "Tuesdays"),
    ("We release from main.", "Releases come from the stable branch from now on.", "stable"),
    ("Uploads are limited to 10 MB.", "Raise the upload limit to 25 MB.", "25 MB"),
    ("Uploads are limited to 10 MB.", "10 MB is not enough for uploads, make it 25 MB.", "25 MB"),
    ("Max line length is 88.", "Let's go to 100 columns.", "100 columns"),
    ("Metric names start with kettle_.", "The prefix becomes ktl_.", "ktl_"),
    ("The request timeout is 30 s.", "Bump the timeout to 45 s.", "45 s"),
    ("Ada owns billing.", "Bo owns billing now.", "Bo"),
    ("Ada owns billing.", "Bo took over billing from Ada.", "Bo"),
    ("The service is called `heron`.", "We renamed the service to `osprey`.", "osprey"),
    ("Config lives in config/app.toml.", "The config moved to etc/app.toml.", "etc/app.toml"),
    ("The region is eu-west-1.", "We moved everything to eu-central-1.", "eu-central-1"),
    ("A porta é 8080.", "Troca a porta pra 8087.", "8087"),
    ("O limite de upload é 10 MB.", "Aumenta o limite pra 25 MB.", "25 MB"),
    ("Fazemos deploy às quintas.", "Agora o deploy é às terças.", "terças"),
    ("El puerto es 8080.", "Cambia el puerto a 8087.", "8087"),
    ("Desplegamos los jueves.", "Ahora desplegamos los martes.", "martes"),
    ("ポートは8080です。", "ポートを8087に変更してください。", "8087"),
    ("同期間隔は15分です。", "15分は長いので10分にします。", "10分"),
    ("デプロイは木曜日に行います。", "デプロイは火曜日に変更します。", "火曜日"),
    ("Always answer in English.", "Answer in Portuguese from now on.", "Portuguese"),
    ("Call me Bo.", "Actually, call me Ada.", "Ada"),
    ("We use tabs.", "Let's switch to 2 spaces.", "2 spaces"),
    ("Log level is INFO.", "Set the log level to DEBUG permanently.", "DEBUG"),
    ("The budget is 400 euros.", "The budget was cut to 350 euros.", "350 euros"),
    ("Backups are kept for 30 days.", "Keep backups for 90 days.", "90 days"),
)


@pytest.mark.parametrize(("before", "after", "value"), CHANGES, ids=[after for _, after, _ in CHANGES])
def test_what_changes_keeps_its_key(
    drafts: Callable[..., list[Draft]], before: str, after: str, value: str
) -> None:
    said = drafts(("human", before), ("human", after))

    assert len({(draft.scope, draft.subject, draft.attribute) for draft in said}) == 1
    assert said[-1].value == value


def test_another_thing_that_is_named_beside_it_does_not_change(drafts: Callable[..., list[Draft]]) -> None:
    said = drafts(("human", "The dev port is 8080."), ("human", "The metrics port is 9464, dev stays on 8080."))

    assert {"8080": "dev_port", "9464": "metric_port"} == {draft.value: draft.attribute for draft in said}
