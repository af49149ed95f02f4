#!/usr/bin/env python3
"""Asks `ken` about folders of documents, without a model; BM25 over their paragraphs beside it.

    python3 bench/documents.py --ken target/release/ken
    python3 bench/documents.py --ken target/release/ken --sets clubs --budgets 1500 --show

Each set of `bench/documents` is ingested into a vault of its own and compiled. Page counts the questions whose answer stands on
one page of the wiki; wiki is its size beside the documents. Then every question is asked: budget 0 is `ken ask`, others are
`ken context`. An answer is right if each of `all` matches; unknown counts the questions without an answer of which `ken ask`
says that nothing is sure. Tokens are characters by four. Needs Python 3.8 and its library; the vaults are removed.
"""
import argparse, collections, glob, html, os, re, tempfile

from asked import Plain, Vault, is_right, questions

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'documents')
NOW = '2026-06-01T09:00:00Z'
ENDS = re.compile(r'</(?:p|li|tr|h[1-6]|div|td|th|dd|dt|pre)>')

def said(name):
    """The paragraphs of the documents: no day, file, paragraph."""
    for path in sorted(glob.glob(os.path.join(HERE, name, '*'))):
        text = open(path, encoding='utf-8').read()
        if path.endswith('.html'):
            text = html.unescape(re.sub(r'<[^>]+>', ' ', ENDS.sub('\n\n', text)))
        for paragraph in filter(str.strip, re.split(r'\n\s*\n', text)):
            yield '', os.path.basename(path), paragraph.strip()

def vault(ken, name, folder):
    made = Vault(ken, folder, NOW)
    made.run('ingest', os.path.join(HERE, name), '--quiet')
    made.run('compile', '--quiet')
    return made

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--ken', required=True)
    parser.add_argument('--sets', default=','.join(sorted(os.path.basename(path)[:-6] for path in glob.glob(HERE + '/*.jsonl'))))
    parser.add_argument('--budgets', default='0,500,1500')
    parser.add_argument('--show', action='store_true', help='print the questions that `ken` answers wrongly')
    args = parser.parse_args()
    budgets = [int(budget) for budget in args.budgets.split(',')]
    names = ['questions', 'page', 'wiki', 'pages'] + ['%s %s' % (who, budget or 'ask') for who in ('ken', 'BM25') for budget in budgets]
    print('| set | ' + ' | '.join(names + ['unknown']) + ' |\n|' + '---|' * (len(names) + 2))
    for name in args.sets.split(','):
        with tempfile.TemporaryDirectory() as folder:
            made, turns, sums = vault(args.ken, name, folder), list(said(name)), collections.Counter()
            plain, pages = Plain(turns), made.texts('knowledge')
            sums.update(pages=len(pages), chars=sum(map(len, pages)), said=sum(len(text) for *_, text in turns))
            for question in questions(os.path.join(HERE, name + '.jsonl')):
                if not question['all']:
                    sums.update(unknown=1, silent=not made.ask(0, question['question'])[1])
                    continue
                sums.update(questions=1, page=any(is_right(question, page) for page in pages))
                for who, one in (('ken', made), ('BM25', plain)):
                    for budget in budgets:
                        text, _ = one.ask(budget, question['question'])
                        right = is_right(question, text)
                        sums['%s %s' % (who, budget or 'ask')] += right
                        if args.show and who == 'ken' and not right:
                            print('%s %s: %s\n  %s' % (question['id'], budget, question['question'], question['gold']))
            cells = ['%.2f' % (sums['chars'] / sums['said']) if one == 'wiki' else str(sums[one]) for one in names]
            print('| ' + ' | '.join([name] + cells + ['%d of %d' % (sums['silent'], sums['unknown'])]) + ' |')

if __name__ == '__main__':
    main()
