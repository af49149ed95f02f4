#!/usr/bin/env python3
"""Checks the roll-ups of a compiled vault against the days that they roll up.

    python3 bench/rollups.py VAULT              # a table, and what is missing; exit status 1 if anything is
    python3 bench/rollups.py VAULT --json

Of each week: whether every number, date and proper name of each decision that its days tell of talk stands on its page (work
has pages of its own), how many of all numbers of its days do, and how large the page is beside its days. Of months and years:
the same sizes beside the pages below.
Reads files and nothing else, needs Python 3.8 and its library, and knows nothing of how the pages were made.
"""
import argparse, collections, datetime, glob, json, os, re, sys

SMALL = 8192                                   # below so many bytes of days the header alone decides about the size
SHARE_MAX = 0.35
LABELS = {'decisions made', 'decisions'}
SAID = {'decisions made', 'decisions', 'lessons learned', 'lessons', 'key exchanges', 'action items', 'context'}
NUMBER = re.compile(r'\d[\d.,:/-]*\d|\d')
NAME = re.compile(r'(?<!\w)[A-ZÀ-Þ][\w\'’-]*[\w]')
COMMON = set('I I\'m I\'d I\'ve I\'ll It\'s Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split())

def read(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()

def talk(day):
    """A day without the entries in which tools were used."""
    entries = re.split(r'\n(?=### )', day)
    return '\n'.join(entry for entry in entries if not re.search(r'^\*\*Events:', entry, re.M))

def plain(text):
    return text.replace('\\', '').replace('**', '').replace('`', '')

def items(day):
    """The list items of a day, each with the label that it stands below."""
    label = None
    for line in day.split('\n'):
        marked = re.match(r'\*\*([^*]+?):?\*\*:?', line)
        if line.startswith('#'):
            name = line.strip('# ').rstrip(':').lower()
            label = name if name in SAID else None
        elif marked and marked.group(1).strip().lower() in SAID:
            label = marked.group(1).strip().lower()
            rest = line[marked.end():].strip()
            if rest:
                yield label, rest
        elif marked:
            label = None
        elif re.match(r'\s*[-*] ', line) and label:
            yield label, re.sub(r'^\s*[-*] (\[[ xX]\] )?', '', line)

def atoms(text):
    """The numbers, dates and proper names of a statement; a word that begins a sentence is no name by its letter."""
    text = plain(text)
    out = set(NUMBER.findall(text))
    for sentence in re.split(r'(?<=[.!?:—]) +|(?<=")', text):
        words = [match for match in NAME.finditer(sentence)]
        out |= {m.group() for m in words if sentence[:m.start()].strip(' "\'(') and m.group() not in COMMON}
    return out

def body(page):
    text = page.split('\n---\n', 1)[-1]
    return plain('\n'.join(line for line in text.split('\n') if not re.match(r'\[\^\d+\]: ', line)))

def has(text, atom):
    return re.search(r'(?<!\w)%s(?!\w)' % re.escape(atom), text) is not None

def week_days(name):
    year, week = int(name[:4]), int(name[6:])
    first = datetime.datetime.strptime('%d-W%02d-1' % (year, week), '%G-W%V-%u').date()
    return [first + datetime.timedelta(days=n) for n in range(7)]

def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('vault')
    parser.add_argument('--wiki', default='knowledge/journal', help='the folder of the roll-ups, seen from the vault')
    parser.add_argument('--journal', default='daily', help='the folder of the days')
    parser.add_argument('--json', action='store_true')
    args = parser.parse_args()
    pages = {os.path.basename(f)[:-3]: f for f in sorted(glob.glob(os.path.join(args.vault, args.wiki, '*.md')))}
    rows, is_bad = [], False
    for name, path in pages.items():
        page = read(path)
        size = len(page.encode())
        if re.fullmatch(r'\d{4}-w\d\d', name):
            days = [os.path.join(args.vault, args.journal, '%s.md' % day) for day in week_days(name)]
            texts = [read(day) for day in days if os.path.exists(day)]
            said = [item for text in texts for item in items(text)]
            decisions = [one for text in texts for label, one in items(talk(text)) if label in LABELS]
            text, missing = body(page), []
            for decision in decisions:
                # A number within a name stands where the whole decision does.
                if plain(decision) not in text:
                    missing += [(atom, decision) for atom in sorted(atoms(decision)) if not has(text, atom)]
            numbers = collections.Counter(n for _, one in said for n in set(NUMBER.findall(plain(one))))
            kept = sum(has(text, number) for number in numbers)
            told = {n for label, one in said if not one.startswith('User asked') and label != 'context' for n in NUMBER.findall(plain(one))}
            rows.append(dict(page=name, bytes=size, below=sum(len(t.encode()) for t in texts), days=len(texts),
                             decisions=len(decisions), missing=missing, numbers=len(numbers), numbers_kept=kept,
                             told=len(told), told_kept=sum(has(text, number) for number in told)))
        else:
            below = [p for n, p in pages.items() if '[[%s]]' % n in page.split('## Rolled up')[-1]]
            rows.append(dict(page=name, bytes=size, below=sum(os.path.getsize(p) for p in below), parts=len(below), missing=[]))
    for row in rows:
        row['share'] = round(row['bytes'] / max(row['below'], 1), 3)
        row['fits'] = row['below'] < SMALL or row['share'] <= SHARE_MAX
        is_bad |= bool(row['missing']) or not row['fits']
    if args.json:
        print(json.dumps(rows, indent=1))
    else:
        print('page       bytes   below  share  decisions  missing  numbers of the days  of what was told')
        for row in rows:
            line = '%-9s %6d %7d  %5.3f' % (row['page'], row['bytes'], row['below'], row['share'])
            if 'decisions' in row:
                line += '  %9d  %7d  %8d of %5d  %8d of %5d' % (row['decisions'], len(row['missing']), row['numbers_kept'], row['numbers'], row['told_kept'], row['told'])
            print(line + ('' if row['fits'] else '  too large'))
            for atom, decision in row['missing']:
                print('    `%s` of: %s' % (atom, decision[:120]))
    sys.exit(1 if is_bad or not rows else 0)

main()
