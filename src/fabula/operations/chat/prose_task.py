"""What a model is told when it is to write a part of a scene: the task, the language, and where it stands."""

from __future__ import annotations

from fabula.model.bilingual import Bilingual
from fabula.model.chapter_names import chapter_label
from fabula.model.relation import Language
from fabula.store.reader import Reader

_TASK = Bilingual(
    "You are writing a part of a novel together with its author. The scene is {place}. Write in {language}, "
    "in the tense, the person and the voice of the text before. Answer with the prose alone: no comment, no "
    "heading, no quotation marks around the whole.",
    "你在与作者合写一部小说。现在写的是{place}。请用{language}写作，时态、人称和语气与前文一致。"
    "只给出正文本身：不要评论，不要标题，不要给整段加引号。",
)
_SCENE = Bilingual("{chapter}, scene {scene}", "{chapter}第{scene}场")
_LANGUAGES: dict[Language, Bilingual] = {
    "en": Bilingual("English", "英文"),
    "zh": Bilingual("Chinese", "中文"),
}


def prose_task(reader: Reader, project_id: str, chapter: int, scene: int) -> str:
    """Return the instruction for a scene, with the number that the book prints over its chapter."""
    language = reader.story(project_id).language
    title = reader.manuscript.chapter_titles(project_id).get(chapter, "")
    label = chapter_label(chapter, title, language)
    place = _SCENE.said_in(language).format(chapter=label, scene=scene + 1)
    return _TASK.said_in(language).format(place=place, language=_LANGUAGES[language].said_in(language))
