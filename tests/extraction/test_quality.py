"""How good the local extractor is, on annotated prose of others; skipped where that is not at hand."""

import pytest
from bench.eval import extraction, extraction_data
from bench.eval.extraction_data import Document

from fabula.extraction.local import LocalExtractor
from fabula.extraction.tagger_weights import installed_tagger

pytestmark = pytest.mark.slow


def sample(documents: list[Document]) -> list[Document]:
    return documents[::9]


@pytest.mark.skipif(not extraction_data.MULTIGENRE.exists(), reason="the annotated web novels are not here")
@pytest.mark.parametrize("rules_only", [True, False])
def test_chinese_names_are_found_well_above_the_floor(rules_only: bool) -> None:
    if not rules_only and installed_tagger() is None:
        pytest.skip("the tagger's weights are not installed")
    extractor = LocalExtractor(rules_only=rules_only)

    names, everything, *_ = extraction.rows_of(
        sample(extraction_data.multigenre()), "", extractor, "zh", nouns=True
    )

    assert everything.figures["F1"] > (60 if rules_only else 68)
    assert names.figures["right"] > 70


@pytest.mark.skipif(not extraction_data.LITBANK.exists(), reason="the annotated English novels are not here")
def test_english_names_are_found_well_above_the_floor() -> None:
    names, *_ = extraction.rows_of(sample(extraction_data.litbank()), "", LocalExtractor(), "en", nouns=False)

    assert names.figures["any"] > 78
    assert names.figures["R"] > 75
