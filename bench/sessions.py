#!/usr/bin/env python3
"""Asks `ken` about recorded sessions of a coding agent, without a model, and says where the answers stand; BM25 beside it.

    python3 bench/sessions.py --ken target/release/ken
    python3 bench/sessions.py --ken target/release/ken --sets studios --budgets 1500 --show

Each set of `bench/sessions` is captured into a vault of its own and compiled. Journal and page count the questions whose
answer stands in the journal at all, and on one page of the wiki; wiki is its size beside the talk. Then every question is
asked: budget 0 is `ken ask`, others are `ken context`; BM25 looks through the paragraphs that people and agent said. An
answer is right if each of `all` matches. Tokens are characters by four. Needs Python 3.8 and its library; the vaults are
removed.
"""
import argparse, collections, glob, json, os, tempfile

from asked import Plain, Vault, is_right, questions

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'sessions')
NOW = '2026-06-01T09:00:00Z'

def said(name):
    """What people and agent said: day, file, paragraph."""
    for path in sorted(glob.glob(os.path.join(HERE, name, '*.jsonl'))):
        for line in open(path, encoding='utf-8'):
            record = json.loads(line)
            content = record.get('message', {}).get('content', '')
            parts = [{'type': 'text', 'text': content}] if isinstance(content, str) else content
            for text in (part['text'] for part in parts if part.get('type') == 'text'):
                for paragraph in filter(str.strip, text.split('\n\n')):
                    yield record.get('timestamp', '')[:10], os.path.basename(path), paragraph

def vault(ken, name, folder):
    made = Vault(ken, folder, NOW)
    made.run('capture', os.path.join(HERE, name), '--quiet')
    made.run('compile', '--quiet')
    return made

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--ken', required=True)
    parser.add_argument('--sets', default=','.join(sorted(os.path.basename(path)[:-6] for path in glob.glob(HERE + '/*.jsonl'))))
    parser.add_argument('--budgets', default='0,500,1500')
    parser.add_argument('--show', action='store_true', help='print the questions that no page answers')
    args = parser.parse_args()
    budgets = [int(budget) for budget in args.budgets.split(',')]
    names = ['questions', 'journal', 'page', 'wiki', 'pages'] + ['%s %s' % (who, budget or 'ask') for who in ('ken', 'BM25') for budget in budgets]
    print('| set | ' + ' | '.join(names) + ' |\n|' + '---|' * (len(names) + 1))
    total = collections.Counter()
    for name in args.sets.split(','):
        with tempfile.TemporaryDirectory() as folder:
            made, turns, sums = vault(args.ken, name, folder), list(said(name)), collections.Counter()
            plain, journal, pages = Plain(turns), '\n'.join(made.texts('daily')), made.texts('knowledge')
            sums.update(pages=len(pages), wiki=sum(map(len, pages)), talk=sum(len(text) for *_, text in turns))
            for question in questions(os.path.join(HERE, name + '.jsonl')):
                on_page = any(is_right(question, page) for page in pages)
                sums.update(questions=1, journal=is_right(question, journal), page=on_page)
                if args.show and not on_page:
                    print('%s %s\n  %s' % (question['id'], question['question'], question['gold']))
                for who, one in (('ken', made), ('BM25', plain)):
                    for budget in budgets:
                        text, _ = one.ask(budget, question['question'])
                        sums['%s %s' % (who, budget or 'ask')] += is_right(question, text)
            show(name, names, sums)
            total.update(sums)
    show('all', names, total)

def show(name, names, sums):
    cells = ['%.2f' % (sums['wiki'] / sums['talk']) if one == 'wiki' else str(sums[one]) for one in names]
    print('| ' + ' | '.join([name] + cells) + ' |')

if __name__ == '__main__':
    main()
