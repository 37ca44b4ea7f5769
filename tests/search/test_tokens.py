"""What the terms of a text are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.search.tokens import TERM_CHARS, terms, words


@pytest.mark.parametrize(("text", "expected"), [
    ("Deployments running", ["deploy", "run"]),
    ("deploy_branch", ["deploybranch", "deploy", "branch"]),
    ("deploy-branch", ["deploybranch", "deploy", "branch"]),
    ("deployBranch", ["deploybranch", "deploy", "branch"]),
    ("GitHub URLs", ["github", "git", "hub", "url"]),
    ("1.0.21 v1.0.21 10.0.0.1", ["1.0.21", "1.0.21", "10.0.0.1"]),
    ("--dry-run=1", ["dryrun", "dri", "run", "1"]),
    ("C++, C#.", ["c++", "c#"]),
    ("utf-8 UTF8", ["utf8", "utf", "utf8", "utf"]),
    ("Straße Łódź İzmir café", ["strass", "lodz", "izmir", "cafe"]),
    ("東京へ", ["東京", "京へ"]),
    ("ﾃﾞﾌﾟﾛｲ", ["デプ", "プロ", "ロイ"]),
    ("배포는", ["배포", "포는"]),
    ("...!?", []),
])
def test_a_text_has_these_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_a_path_is_found_by_its_whole_its_file_and_its_parts() -> None:
    found = terms("src/app/main.py")

    assert {*terms("src/app/main.py"), *terms("main.py"), "src", "app", "main", "py"} <= set(found)


def test_a_blob_is_one_short_term() -> None:
    assert [len(term) for term in terms("A1" * 5_000)] == [TERM_CHARS]


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert terms("cafe\u0301 n\u0303") == terms("café ñ")


@given(st.text())
def test_a_term_never_holds_white_space_and_is_never_empty(text: str) -> None:
    assert all(term and not any(map(str.isspace, term)) for term in terms(text))


@given(st.text())
def test_a_question_is_read_as_a_document_is(text: str) -> None:
    assert {word.term for word in words(text)} <= set(terms(text))


def test_a_question_names_each_word_once_and_knows_what_says_little() -> None:
    found = words("where is the deploy branch of the deploy")

    assert [(word.surface, word.stop) for word in found if not word.stop] == [("deploy", False), ("branch", False)]


@given(st.text(st.sampled_from("ab AZ09_-./:@+#\\~'\n\x1c"), max_size=40))
def test_a_text_reads_the_same_beside_letters_of_another_script(text: str) -> None:
    assert [*terms(text), *terms("é")] == terms(f"{text} é")
