#!/usr/bin/env python3
"""Asks `ken` about the talk of seven small teams, without a model and in other words than theirs, and BM25 beside it.

    python3 bench/talks.py --ken target/release/ken
    python3 bench/talks.py --ken target/release/ken --sets bikes,shop --budgets 0,500,1500 --show

Each set of `bench/talks` is captured into a vault of its own, conversation by conversation with the time of each, compiled,
and asked on the evening of its last day. Budget 0 is `ken ask`, others are `ken context`. An answer is right if each of `all`
matches, and clean if no line that does not say that something is over matches one of `none`. Questions without an answer are
right if nothing is sure. Tokens are characters by four. Needs Python 3.8 and its library; the vaults are removed.
"""
import argparse, collections, glob, os, re, tempfile

from asked import Plain, Vault, is_right, questions

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'talks')
PAST = re.compile(r'\((until|earlier|ended|superseded|before)\b|\b(was|were|had been|until|before|former|no longer|instead of|at first|used to)\b|~~', re.I)

def talks(name):
    """The conversations of a set: day, time, text."""
    for part in open(os.path.join(HERE, name + '.txt'), encoding='utf-8').read().split('\n== '):
        head, text = part.removeprefix('== ').split('\n', 1)
        day, file = head.split('/')
        yield day, file, text.strip() + '\n'

def is_stale(question, text):
    lines = [line for line in text.split('\n') if not PAST.search(line)]
    return any(re.search(part, line, re.I) for part in question['none'] for line in lines)

def vault(ken, name, folder):
    made = Vault(ken, folder, '2026-01-01T00:00:00Z')
    for day, file, text in talks(name):
        os.makedirs(os.path.join(folder, day), exist_ok=True)
        path = os.path.join(folder, day, file)
        with open(path, 'w', encoding='utf-8') as out:
            out.write(text)
        made.run('capture', path, '--quiet', now='%sT%s:%s:00Z' % (day, file[:2], file[2:4]))
    made.now = day + 'T20:00:00Z'
    made.run('compile', '--quiet')
    return made

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--ken', required=True)
    parser.add_argument('--sets', default=','.join(sorted(os.path.basename(path)[:-4] for path in glob.glob(HERE + '/*.txt'))))
    parser.add_argument('--budgets', default='0,500,1500')
    parser.add_argument('--show', action='store_true', help='print what was answered wrongly')
    args = parser.parse_args()
    all_of = collections.defaultdict(collections.Counter)
    print('| set | who | budget | right | right and clean | silent where nothing is known | tokens |\n|---|---|---|---|---|---|---|')
    for name in args.sets.split(','):
        with tempfile.TemporaryDirectory() as folder:
            turns = [(day, file, turn) for day, file, text in talks(name) for turn in text.split('\n') if turn]
            for who, one in (('ken', vault(args.ken, name, folder)), ('BM25', Plain(turns))):
                for budget in map(int, args.budgets.split(',')):
                    sums = collections.Counter()
                    for question in questions(os.path.join(HERE, name + '.jsonl')):
                        text, is_sure = one.ask(budget, question['question'])
                        if not question['all']:
                            sums.update(unknown=1, silent=not is_sure)
                            continue
                        right, stale = is_right(question, text), is_stale(question, text)
                        sums.update(n=1, right=right, clean=right and not stale, chars=len(text))
                        if args.show and who == 'ken' and (not right or stale):
                            print('%s %s: %s\n  %s\n%s' % (question['id'], budget, question['question'], question['gold'], text))
                    all_of[who, budget].update(sums)
                    show(name, who, budget, sums)
    for (who, budget), sums in all_of.items():
        show('all', who, budget, sums)

def show(name, who, budget, sums):
    row = (name, who, budget or 'ask', '%d of %d' % (sums['right'], sums['n']), sums['clean'],
           '%d of %d' % (sums['silent'], sums['unknown']), sums['chars'] // 4 // max(sums['n'], 1))
    print('| ' + ' | '.join(map(str, row)) + ' |')

if __name__ == '__main__':
    main()
