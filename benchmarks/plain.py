"""What everything is held against: BM25 as tantivy has it over whole documents, with our words and nothing else."""

from collections.abc import Sequence

import tantivy

from rhizome.evaluate.corpus import Text
from rhizome.evaluate.questions import Answered, Question
from rhizome.search.tokens import terms

RANKED = 50


class Plain:
    """One index for each scope, and one of everything."""

    def __init__(self, texts: Sequence[Text]) -> None:
        scopes: dict[str | None, list[Text]] = {None: list(texts)}
        for text in texts:
            scopes.setdefault(text.meta.get("scope"), []).append(text) if text.meta.get("scope") else None
        self._indexes = {scope: _index(found) for scope, found in scopes.items()}

    def answered(self, question: Question) -> Answered:
        """The documents that share a word with a question; never a refusal."""
        index = self._indexes.get(question.scope)
        words = [(tantivy.Occur.Should, tantivy.Query.term_query(index.schema, "body", term))
                 for term in dict.fromkeys(terms(question.text))] if index else []
        if not index or not words:
            return Answered(question.id)
        searcher = index.searcher()
        found = searcher.search(tantivy.Query.boolean_query(words), RANKED).hits
        return Answered(question.id, tuple(searcher.doc(place)["id"][0] for _, place in found),
                        score=found[0][0] if found else 0.0)


def _index(texts: Sequence[Text]) -> tantivy.Index:
    schema = tantivy.SchemaBuilder().add_text_field("id", stored=True, tokenizer_name="raw").add_text_field(
        "body", tokenizer_name="whitespace").build()
    index = tantivy.Index(schema)
    writer = index.writer(num_threads=1)
    for text in texts:
        writer.add_document(tantivy.Document(id=text.id, body=" ".join(terms(text.text))))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index
