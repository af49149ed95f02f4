#!/usr/bin/env python3
"""Asks `ken` about the talk of seven small teams, without a model and in other words than theirs, and BM25 beside it.

    python3 bench/talks.py --ken target/release/ken
    python3 bench/talks.py --ken target/release/ken --sets bikes,shop --budgets 0,500,1500 --show

Each set of `bench/talks` is captured into a vault of its own, conversation by conversation with the time of each, compiled,
and asked on the evening of its last day. Budget 0 is `ken ask`, others are `ken context`. An answer is right if each of `all`
matches, and clean if no line that does not say that something is over matches one of `none`. Questions without an answer are
right if nothing is sure. Tokens are characters by four. Needs Python 3.8 and its library; the vaults are removed.
"""
import argparse, collections, glob, json, math, os, re, subprocess, tempfile

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'talks')
PAST = re.compile(r'\((until|earlier|ended|superseded|before)\b|\b(was|were|had been|until|before|former|no longer|instead of|at first|used to)\b|~~', re.I)
STOP = set('the a an of to in on at for and or is are was were be do does did have has had we i you it our my what which who when '
           'where how why with by from that this these those much many there will would can could any'.split())

def talks(name):
    """The conversations of a set: day, time, text."""
    for part in open(os.path.join(HERE, name + '.txt'), encoding='utf-8').read().split('\n== '):
        head, text = part.removeprefix('== ').split('\n', 1)
        day, file = head.split('/')
        yield day, file, text.strip() + '\n'

def questions(name):
    return [json.loads(line) for line in open(os.path.join(HERE, name + '.jsonl'), encoding='utf-8')]

def is_right(question, text):
    return all(re.search(part, text, re.I) for part in question['all'])

def is_stale(question, text):
    lines = [line for line in text.split('\n') if not PAST.search(line)]
    return any(re.search(part, line, re.I) for part in question['none'] for line in lines)

class Vault:
    def __init__(self, ken, name, folder):
        self.ken, self.root = ken, os.path.join(folder, 'vault')
        self.env = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder + '/c', XDG_STATE_HOME=folder + '/s', XDG_CACHE_HOME=folder + '/k')
        os.mkdir(self.root)
        self.run('2026-01-01T00:00:00Z', 'init', '--quiet')
        for day, file, text in talks(name):
            os.makedirs(os.path.join(folder, day), exist_ok=True)
            path = os.path.join(folder, day, file)
            with open(path, 'w', encoding='utf-8') as out:
                out.write(text)
            self.run('%sT%s:%s:00Z' % (day, file[:2], file[2:4]), 'capture', path, '--quiet')
        self.evening = day + 'T20:00:00Z'
        self.run(self.evening, 'compile', '--quiet')

    def run(self, now, *args):
        done = subprocess.run([self.ken, *args], cwd=self.root, env=dict(self.env, KEN_NOW=now), capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise SystemExit('ken %s: %s' % (' '.join(args), done.stderr))
        return done

    def ask(self, budget, question):
        args = ['context', '--budget', str(budget)] if budget else ['ask']
        done = self.run(self.evening, *args, question)
        return done.stdout, done.returncode == 0

def words(text):
    found = re.findall(r'[^\W_]+(?:[.,:]\d+)*', text.lower())
    return [re.sub(r'(?<=...)(ing|ed|es|s|ly)$', '', word) for word in found if word not in STOP]

class Plain:
    """BM25 over single turns (day, file, text), each with the one before and behind it."""
    def __init__(self, turns):
        self.turns = turns
        self.words = [words(turn) for *_, turn in self.turns]
        self.having = collections.Counter(word for turn in self.words for word in set(turn))
        self.mean = sum(map(len, self.words)) / len(self.words)

    def ask(self, budget, question):
        rare = {w: math.log(1 + (len(self.turns) - self.having[w] + .5) / (self.having[w] + .5)) for w in set(words(question))}
        def score(turn):
            times = collections.Counter(turn)
            norm = 1.2 * (.25 + .75 * len(turn) / self.mean)
            return sum(weight * times[w] * 2.2 / (times[w] + norm) for w, weight in rare.items() if times[w])
        ranked = sorted(((score(turn), -n) for n, turn in enumerate(self.words)), reverse=True)
        taken, left = set(), budget or 250
        for value, n in ranked:
            for at in (-n, -n + 1, -n - 1):
                if value > 0 and 0 <= at < len(self.turns) and self.turns[at][:2] == self.turns[-n][:2] and at not in taken:
                    cost = len(self.turns[at][2]) // 4 + 8
                    if cost <= left:
                        taken.add(at)
                        left -= cost
        return '\n'.join(self.turns[at][0] + ' ' + self.turns[at][2] for at in sorted(taken)), True

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--ken', required=True)
    parser.add_argument('--sets', default=','.join(sorted(os.path.basename(path)[:-4] for path in glob.glob(HERE + '/*.txt'))))
    parser.add_argument('--budgets', default='0,500,1500')
    parser.add_argument('--show', action='store_true', help='print what was answered wrongly')
    args = parser.parse_args()
    args.ken = os.path.abspath(args.ken)
    all_of = collections.defaultdict(collections.Counter)
    print('| set | who | budget | right | right and clean | silent where nothing is known | tokens |\n|---|---|---|---|---|---|---|')
    for name in args.sets.split(','):
        with tempfile.TemporaryDirectory() as folder:
            turns = [(day, file, turn) for day, file, text in talks(name) for turn in text.split('\n') if turn]
            for who, one in (('ken', Vault(args.ken, name, folder)), ('BM25', Plain(turns))):
                for budget in map(int, args.budgets.split(',')):
                    sums = collections.Counter()
                    for question in questions(name):
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
