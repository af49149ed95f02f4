"""Tests of the comparison itself: `python3 -m unittest discover -s bench -p tests.py`."""

import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

from brainbench import Turn, has_all, know_to_ask, push  # noqa: E402
from corpus import Corpus, unique_word  # noqa: E402
from measure import Command, Failed, median, run  # noqa: E402
from report import behind, shown_cell  # noqa: E402
from retrieval import Asked, judged, scopes  # noqa: E402
from speed import Cell, Row  # noqa: E402
from tools import Ken, Tool, first_json, names_in, stem  # noqa: E402


class CorpusTests(unittest.TestCase):
    def test_the_same_size_gives_the_same_bytes(self):
        self.assertEqual(Corpus(50).digest(), Corpus(50).digest())
        self.assertNotEqual(Corpus(50).digest(), Corpus(51).digest())

    def test_a_unique_word_is_on_one_page_only(self):
        texts = [page.for_kenning() for page in Corpus(60).pages()]
        for number in (0, 17, 59):
            word = re.compile(rf"\b{unique_word(number)}\b")
            self.assertEqual([at for at, text in enumerate(texts) if word.search(text)], [number])

    def test_a_revision_adds_a_word_and_changes_nothing_else(self):
        corpus = Corpus(20)
        before, after = corpus.page(3).for_kenning(), corpus.page(3, revision=2).for_kenning()
        self.assertTrue(after.startswith(before) and corpus.changed_word(3, 2) in after[len(before):])

    def test_pages_have_the_promised_length_and_link_to_pages(self):
        corpus = Corpus(40)
        slugs = {page.slug for page in corpus.pages()}
        self.assertEqual(len(slugs), 40)
        for page in corpus.pages():
            self.assertTrue(100 <= len(page.body.split()) <= 300)
            self.assertIn(re.search(r"\[\[concepts/(.+)\]\]", page.body)[1], slugs)

    def test_a_question_of_eight_words_has_its_words_on_its_page(self):
        corpus = Corpus(30)
        pages = {page.slug: page.for_kenning().lower() for page in corpus.pages()}
        for question in corpus.natural(5):
            words = question.text.split()
            self.assertEqual(len(words), 8)
            self.assertTrue(all(words[at] in pages[question.slug] for at in (3, 4, 7)))


class BrainBenchTests(unittest.TestCase):
    def turn(self, injected: list[str], **gold) -> Turn:
        turn = {"turn_id": 1, "text": "?"}
        return Turn({"fixture_id": "one"}, turn, gold or None, {"route": injected}, {"route": 0})

    def test_a_page_that_is_right_is_enough_and_any_page_breaks_a_silence(self):
        turns = [
            self.turn(["a"], should_retrieve=True, gold_slugs=["b"], acceptable_slugs=["a"]),
            self.turn([], should_retrieve=True, gold_slugs=["b"]),
            self.turn(["a"], should_retrieve=False),
            self.turn([], should_retrieve=False),
            self.turn(["a"]),
        ]
        rates = know_to_ask(turns, "route", [])
        self.assertEqual(rates, {"know_to_ask_failure_rate": 0.5, "false_fire_rate": 0.5, "silence": 0.5})

    def test_acceptable_pages_are_neither_wrong_nor_missed(self):
        turns = [self.turn(["a", "b", "x"], should_retrieve=True, gold_slugs=["b", "c"], acceptable_slugs=["a", "d"])]
        self.assertEqual(push(turns, "route", []), {"push_precision": 2 / 3, "push_recall": 1 / 2})

    def test_words_are_found_whatever_hyphens_and_case(self):
        self.assertTrue(has_all("We pass on Widget Co.", ["pass", "widget-co"]))
        self.assertFalse(has_all("We pass.", ["pass", "widget-co"]))


class MeasureTests(unittest.TestCase):
    def test_a_run_has_its_cost_and_its_output(self):
        result = run(Command([sys.executable, "-c", "print(sum(range(10**6)))"]))
        self.assertEqual(result.out.strip(), "499999500000")
        self.assertTrue(0 < result.cpu_s and 0 < result.wall_s < 60)

    def test_a_program_that_fails_or_is_not_there_is_named(self):
        with self.assertRaisesRegex(Failed, "ended with 3"):
            run(Command([sys.executable, "-c", "raise SystemExit(3)"]))
        with self.assertRaisesRegex(Failed, "no-such-program-here"):
            run(Command(["no-such-program-here"]))

    def test_the_median_is_a_run_that_happened(self):
        self.assertEqual(median([9.0, 1.0, 5.0]), 5.0)
        self.assertEqual(median([4.0, 1.0]), 1.0)


class ToolTests(unittest.TestCase):
    def test_a_tool_that_is_not_there_says_how_to_get_it(self):
        with tempfile.TemporaryDirectory() as folder:
            ken = Ken(str(Path(folder) / "ken"), Path(folder))
            self.assertIn("cargo build", ken.missing())

    def test_nothing_of_the_users_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            env = Tool("sh", Path(folder)).env()
            self.assertTrue(all(env[name].startswith(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")))

    def test_answers_are_read_as_each_tool_prints_them(self):
        self.assertEqual(stem("qmd://bench/some-page.md?index=bench"), "some-page")
        self.assertEqual(names_in({"pages": [{"slug": "a"}, {"page": "knowledge/concepts/b.md"}]}), ["a", "b"])
        self.assertEqual(first_json('warning\n{"results": []}\n'), {"results": []})


class ReportTests(unittest.TestCase):
    def test_a_figure_stands_beside_ours(self):
        row = Row("x", {"ken": Cell([0.010], [0.008], 10.0), "qmd": Cell([0.2], [0.16], 70.0)})
        self.assertEqual(shown_cell(row, "qmd", "ken"), "200.0 ms (20.0x), cpu 160.0 ms (20.0x), 70 MiB (7.0x)")
        self.assertEqual(shown_cell(row, "ken", "ken"), "10.0 ms, cpu 8.0 ms, 10 MiB")
        self.assertEqual(shown_cell(row, "rg", "ken"), "–")

    def test_a_loss_is_said_and_noise_is_not(self):
        row = Row("x", {"ken": Cell([0.020], [0.0105]), "rg": Cell([0.010], [0.010])})
        self.assertEqual(
            behind([row], {"ken": 100, "qmd": 400}, "ken", 1_000),
            ["1,000 pages, x: wall time 20.0 ms against 10.0 ms of rg, 2.0 x rg"],
        )


    def test_a_row_that_failed_is_a_loss(self):
        row = Row("x", {"ken": Cell(failure="it\nbroke"), "rg": Cell([0.010], [0.010])})
        self.assertEqual(behind([row], {}, "ken", 10), ["10 pages, x: failed: it broke"])
        self.assertEqual(shown_cell(row, "ken", "ken"), "failed: it broke")


class RetrievalTests(unittest.TestCase):
    def test_recall_counts_the_best_grade_and_gain_counts_all(self):
        score = judged(Asked("?", {"a": 2, "b": 1}), ["x", "a", "b"])
        self.assertEqual((score["R@5"], score["MRR@10"], score["empty"]), (1.0, 0.5, 0.0))
        self.assertAlmostEqual(score["nDCG@10"], (2 / 1.5849625 + 1 / 2) / (2 + 1 / 1.5849625), places=6)
        self.assertEqual(judged(Asked("?", {"a": 1}), [])["empty"], 1.0)

    def test_a_set_is_divided_as_it_says(self):
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder)
            docs = [{"id": id, "text": "t", "meta": {"scope": id[0]}} for id in ("a1", "a2", "b1")]
            asked = [{"id": f"q{scope}", "text": "?", "meta": {"scope": scope}} for scope in "ab"]
            (data / "docs.jsonl").write_text("\n".join(map(json.dumps, docs)))
            (data / "queries.jsonl").write_text("\n".join(map(json.dumps, asked)))
            (data / "qrels.tsv").write_text("qid\tdocid\tgrade\nqa\ta1\t1\nqb\tb1\t0\n")
            found = {name: (len(scope.docs), len(scope.asked)) for name, scope in scopes(data).items()}
            self.assertEqual(found, {"a": (2, 1), "b": (1, 0)})


if __name__ == "__main__":
    unittest.main()
