from fabula.extraction.chinese.lexicon import lexicon
from fabula.extraction.english.words import ranks
from fabula.tokens import ranked_words


def test_a_vocabulary_is_a_list_of_common_words() -> None:
    words = list(ranked_words("o200k_base"))

    assert words.index(" the") < words.index(" incredible")
    assert "中国" in words


def test_common_words_are_told_from_names() -> None:
    assert lexicon().is_common("老师")
    assert not lexicon().is_common("林惊羽")
    assert lexicon().words["的"].cost < lexicon().words["老师"].cost < lexicon().words["宛如"].cost


def test_words_lean_to_a_capital_or_not() -> None:
    assert ranks().leaning("London") > 1
    assert ranks().leaning("Certainly") < -1
