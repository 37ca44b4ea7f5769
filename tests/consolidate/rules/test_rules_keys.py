"""The same thing said otherwise, in any of the languages, has the same key."""

from collections.abc import Callable

import pytest

from rhizome.model import Draft

Drafts = Callable[..., list[Draft]]

SAME: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("deploy_day", (
        "The deploy day is Thursday.", "Deploy day is Thursday.", "We deploy on Thursdays.",
        "Deploys happen on Thursdays.", "Deployments go out on Thursdays.", "Our day for deploys is Thursday.",
        "Fazemos deploy às quintas.", "O dia de deploy é quinta-feira.", "Desplegamos los jueves.",
        "El día de despliegue es el jueves.", "デプロイは木曜日に行います。", "デプロイの曜日は木曜日です。",
    )),
    ("staging_port", (
        "The staging port is 5439.", "The port for staging is 5439.", "Staging's port is 5439.",
        "The port of the staging server is 5439.", "Staging runs on port 5439.", "A porta de homologação é 5439.",
        "El puerto de preproducción es 5439.", "ステージングのポートは5439です。",
    )),
    ("grant_report_deadline", (
        "The deadline for the grant report is 2027-02-01.", "The grant report is due on 2027-02-01.",
        "The grant report's deadline is 2027-02-01.",
    )),
    ("report_format", (
        "All reports are PDF.", "The report must be PDF.", "O relatório deve sair em PDF.",
        "El informe debe salir en PDF.",
    )),
    ("billing_owner", (
        "Billing is owned by Ada.", "Ada is responsible for billing.", "Ada is the owner of billing.",
        "The billing owner is Ada.", "Ada looks after billing.",
    )),
    ("dev_port", (
        "The dev port is 8087.", "The port of the dev server is 8087.", "The dev server runs on port 8087.",
        "The development server listens on port 8087.", "Dev port: 8087", "Port for dev is 8087.",
        "A porta do servidor de desenvolvimento é 8087.", "El puerto del servidor de desarrollo es 8087.",
        "開発サーバーのポートは8087です。",
    )),
    ("sync_interval", (
        "The sync interval is 15 minutes.", "The interval for syncing is 15 minutes.", "We sync every 15 minutes.",
        "The interval of the sync is 15 minutes.", "Sync interval: 15 minutes", "Sync happens every 15 minutes.",
        "O intervalo de sincronização é 15 minutos.", "Sincronizamos cada 15 minutos.", "同期間隔は15分です。",
    )),
    ("release_branch", (
        "We release from the stable branch.", "Releases are cut from stable.", "The release branch is stable.",
        "Release branch: stable", "We ship releases from stable.", "A branch de release é stable.",
        "La rama de release es stable.", "リリースブランチはstableです。",
    )),
    ("upload_limit", (
        "The upload limit is 20 MB.", "Uploads are limited to 20 MB.", "The maximum upload size is 20 MB.",
        "Max upload size: 20 MB", "Uploads must stay under 20 MB.", "O limite de upload é 20 MB.",
        "El límite de subida es de 20 MB.", "アップロードの上限は20MBです。",
    )),
    ("request_timeout", (
        "The request timeout is 30 s.", "Requests time out after 30 s.", "The timeout for requests is 30 s.",
        "Request timeout: 30 s", "O timeout das requisições é 30 s.", "El timeout de las peticiones es de 30 s.",
        "リクエストのタイムアウトは30秒です。",
    )),
    ("package_manager", (
        "The package manager is uv.", "We use uv.", "We use uv as the package manager.", "uv is our package manager.",
        "Package manager: uv", "Usamos uv.", "uvを使います。",
    )),
    ("log_retention", (
        "Logs are kept for 30 days.", "The log retention is 30 days.", "We keep logs for 30 days.",
        "Log retention: 30 days", "The retention period for logs is 30 days.", "Os logs são guardados por 30 dias.",
        "Los logs se guardan 30 días.", "ログの保持期間は30日です。",
    )),
    ("line_length", (
        "The line length is 100.", "Max line length: 100", "Lines are at most 100 characters.",
        "Keep lines under 100 characters.", "The maximum line length is 100 characters.",
        "O comprimento de linha é 100.", "La longitud de línea es 100.",
    )),
    ("metric_prefix", (
        "Metric names start with ktl_.", "The metric prefix is ktl_.", "The prefix for metrics is ktl_.",
        "Metrics are prefixed with ktl_.", "As métricas começam com ktl_.", "Las métricas empiezan por ktl_.",
    )),
    ("billing_owner", (
        "Ada owns billing.", "The owner of billing is Ada.", "Billing is owned by Ada.",
        "Ada is responsible for billing.", "Billing owner: Ada",
    )),
    ("meeting_time", (
        "The standup is at 09:30.", "Standup time: 09:30", "We do the standup at 09:30.",
        "The daily standup starts at 09:30.",
    )),
    ("backup_time", (
        "Backups run at 02:30.", "The backup runs every night at 02:30.", "Backup time: 02:30",
        "O backup roda às 02:30.", "El respaldo corre a las 02:30.",
    )),
    ("commit_language", (
        "Commit messages are in English.", "Write commit messages in English.", "Commits are written in English.",
        "Commit language: English", "Mensagens de commit em inglês, sempre.", "Los commits van en inglés.",
    )),
    ("python_version", (
        "The minimum Python version is 3.11.", "We support Python 3.11 and up.", "Requires Python 3.11.",
        "Python version: 3.11",
    )),
)  # fmt: skip


@pytest.mark.parametrize(("key", "text"), [(key, text) for key, texts in SAME for text in texts])
def test_the_same_thing_said_otherwise_has_the_same_key(drafts: Drafts, key: str, text: str) -> None:
    assert [key] == [draft.attribute for draft in drafts(("human", text))]
