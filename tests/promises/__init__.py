"""What the README promises, and by which tests and figures it is shown."""

from __future__ import annotations

from promises.promise import Figure, Promise

_CARD = "docs/scorecard.md"
_CONTEXT = "bench/results/context.md"

# By the words in bold that open each promise of the README, in its order.
PROMISES = (
    Promise(
        "It keeps your world.",
        (
            "operations/test_state_machine.py::test_a_story_is_what_a_plain_story_is",
            "sources/test_kg_capacity.py",
        ),
    ),
    Promise(
        "It builds the context for the next scene",
        (
            "assembly/test_assembly_laws.py::test_the_budget_is_never_exceeded",
            "assembly/test_assembly_laws.py::test_everybody_in_the_running_is_in_the_trace_once",
            "assembly/test_assembly_laws.py::test_no_secret_and_nothing_untrue_is_ever_told",
        ),
        (Figure("with 50,000 entities, Chinese, p95", _CONTEXT, "assembly, Chinese, p95", "found"),),
    ),
    Promise(
        "It recalls what the text does not mention",
        (
            "operations/test_recalled_entries.py::test_the_sworn_enemy_is_told_with_the_way_to_her",
            "operations/test_recollection.py::test_a_passage_that_stands_out_is_quoted",
            "retrieval/test_retrieval_laws.py",
        ),
        (
            Figure("西游记, over two relations, in five, %", _CARD, "西游记, over two relations", "Fabula"),
            Figure(
                "2Wiki, passages of a question in five, %", _CARD, "2Wiki, passages of a question", "Fabula"
            ),
        ),
    ),
    Promise(
        "It reads your prose and proposes what it finds",
        (
            "operations/test_proposals.py::test_what_is_approved_later_than_the_author_wrote_it_is_added_to_theirs",
            "operations/test_review_laws.py",
            "operations/test_after_saving.py::test_what_the_author_wrote_stays_and_what_was_made_is_made_anew",
        ),
        (Figure("红楼梦, joins that are right, %", _CARD, "红楼梦, joins that are right", "Fabula"),),
    ),
    Promise(
        "It takes your lorebook and your character card",
        (
            "formats/test_lorebook_formats.py::test_reading_and_writing_in_the_same_format_gives_the_same_file",
            "operations/test_lore_files.py::test_every_format_comes_back_from_a_story_as_it_was",
        ),
    ),
    Promise(
        "It can undo anything.",
        (
            "operations/test_undo.py::test_undoing_everything_gives_the_empty_story_and_redoing_everything_gives_it_all_back",
            "operations/test_state_machine.py::test_a_story_is_what_a_plain_story_is",
        ),
    ),
    Promise(
        "Secrets.",
        (
            "hostile/test_no_secret_slips.py",
            "hostile/test_no_private_fact_slips.py",
            "hostile/test_masking_law.py",
            "hostile/test_hidden_words_rank.py",
            "api/mcp/test_secrets.py",
        ),
        (
            Figure(
                "a context from a point of view, times one without, 200,000 knowings",
                "bench/results/knowledge.md",
                "50,000 entities, 200,000 knowings",
                "times",
            ),
        ),
    ),
    Promise(
        "No spoilers.",
        (
            "assembly/test_assembly_laws.py::test_what_happens_later_or_now_is_not_told",
            "operations/test_as_of.py",
            "hostile/test_reveal_law.py",
        ),
        (
            Figure(
                "detective stories, answers that give the solution away, %",
                _CARD,
                "Detective stories, answers that give the solution away (less is better)",
                "Fabula",
            ),
        ),
    ),
    Promise(
        "Budget.",
        (
            "assembly/test_assembly_laws.py::test_the_budget_is_never_exceeded",
            "assembly/test_assembly_laws.py::test_the_budget_holds_also_where_joining_makes_texts_larger",
            "assembly/test_assembly_laws.py::test_the_stable_part_does_not_depend_on_the_text",
            "test_tokens.py",
        ),
    ),
    Promise(
        "Reasons.",
        (
            "assembly/test_assembly_laws.py::test_everybody_in_the_running_is_in_the_trace_once",
            "assembly/test_assembly_laws.py::test_the_order_of_the_candidates_does_not_matter",
            "operations/test_receipt_laws.py",
        ),
    ),
    Promise(
        "Undo.",
        (
            "operations/test_undo.py::test_an_old_step_that_nothing_depends_on_is_taken_back_alone",
            "operations/test_undo.py::test_an_old_step_is_not_taken_back_over_a_later_change",
        ),
    ),
    Promise(
        "Invalid input.",
        ("api/test_bad_input.py", "api/test_hostile_text.py", "test_errors.py"),
        (
            Figure(
                "a secret in every sentence, times an ordinary text",
                "bench/results/bombs.md",
                "a secret in every sentence, 192 kB",
                "times",
            ),
        ),
    ),
    Promise(
        "Several processes.",
        ("service/test_four_processes.py", "operations/test_concurrency.py"),
        (
            Figure(
                "contexts of a large story in a second, 4 processes",
                "docs/scaling.md",
                "assemble, large story | SQLite, 4",
                "in a second",
            ),
        ),
    ),
    Promise(
        "Crashes.", ("store/test_kill.py", "faults/test_killed_server.py", "faults/test_killed_database.py")
    ),
    Promise(
        "Your text stays yours.",
        (
            "operations/test_whole_story.py::test_any_story_comes_back_to_the_byte_and_through_every_door",
            "projections/test_folder.py::test_after_one_birthday_git_shows_one_line",
        ),
    ),
    Promise(
        "No waiting.",
        (
            "operations/test_after_saving.py::test_a_saved_scene_is_read_and_summed_up_a_while_later",
            "operations/test_novel_import.py::test_a_killed_import_goes_on_where_it_was",
            "faults/test_killed_jobs.py",
        ),
        (Figure("seconds for a million characters", "bench/results/novel.md", "real", "seconds"),),
    ),
)
