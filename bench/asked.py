"""What the benchmarks of questions share: a vault that is asked, BM25 beside it, and when an answer is right."""
import collections, glob, json, math, os, re, subprocess

STOP = set('the a an of to in on at for and or is are was were be do does did have has had we i you it our my what which who when '
           'where how why with by from that this these those much many there will would can could any'.split())

def questions(path):
    return [json.loads(line) for line in open(path, encoding='utf-8')]

def is_right(question, text):
    return all(re.search(part, text, re.I) for part in question['all'])

class Vault:
    """A vault in a folder of its own, whose `ken` reads and writes nothing else; `now` is the time it takes for granted."""
    def __init__(self, ken, folder, now):
        self.ken, self.root, self.now = os.path.abspath(ken), os.path.join(folder, 'vault'), now
        self.env = dict(os.environ, HOME=folder, KEN_NO_WORKER='1', XDG_CONFIG_HOME=folder + '/c', XDG_STATE_HOME=folder + '/s',
                        XDG_CACHE_HOME=folder + '/k')
        os.mkdir(self.root)
        self.run('init', '--quiet')

    def run(self, *args, now=None):
        env = dict(self.env, KEN_NOW=now or self.now)
        done = subprocess.run([self.ken, *args], cwd=self.root, env=env, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise SystemExit('ken %s: %s' % (' '.join(args), done.stderr))
        return done

    def texts(self, folder):
        paths = glob.glob(os.path.join(self.root, folder, '**', '*.md'), recursive=True)
        return [open(path, encoding='utf-8').read() for path in paths if os.path.basename(path) not in ('index.md', 'log.md')]

    def ask(self, budget, question):
        """What is answered, and whether that is sure; budget 0 is `ken ask`, others are `ken context`."""
        done = self.run(*(['context', '--budget', str(budget)] if budget else ['ask']), question)
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
