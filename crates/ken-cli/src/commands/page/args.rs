//! The arguments of `ken page`, whose comments are its help.

use ken_core::Category;

use crate::commands::list::category;

/// Make, change, move and join pages by hand
///
/// Each command is one plan: what it does to the page, to everything that leads
/// there, and to what is compiled from it; `ken undo` takes all of it back. Of a
/// compiled page the words go into the journal, and its name is kept by a redirect
/// that stays; pages that another tool writes are never changed.
///
/// Examples:
///   ken page new "Stone oven" --category entity --lede "It bakes at 300 degrees."
///   ken page rename stone-oven "Deck oven"
///   ken page merge old-oven deck-oven --dry-run
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
    /// Change nothing; print the changes as a diff
    #[arg(long, short = 'n', global = true)]
    pub(super) dry_run: bool,
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    New(NewArgs),
    Append(AppendArgs),
    Edit(EditArgs),
    Rename(RenameArgs),
    Merge(MergeArgs),
    Split(SplitArgs),
    Move(MoveArgs),
    Retire(RetireArgs),
    Restore(RestoreArgs),
    Redirect(RedirectArgs),
    Rebuild(RebuildArgs),
}

/// Make a page of your own, from the form of its category
///
/// A concept and a project say what it is, why, and how to apply it; a reference
/// where to find it and when to use it. What you leave out stays open on the page.
///
/// Examples:
///   ken page new "Stone oven" --category entity
///   ken page new "Slow rise" --lede "Dough rests a night." --why "It is better."
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct NewArgs {
    /// Its title; the name of its file is made of it
    pub(super) title: String,
    /// What it is about
    #[arg(long, value_name = "CATEGORY", value_parser = category, default_value = "concept")]
    pub(super) category: Category,
    /// What it is, in a sentence or two; the first becomes the tldr
    #[arg(long, value_name = "TEXT")]
    pub(super) lede: Option<String>,
    /// Why it matters
    #[arg(long, value_name = "TEXT")]
    pub(super) why: Option<String>,
    /// How to apply it
    #[arg(long, value_name = "TEXT")]
    pub(super) how: Option<String>,
}

/// Add text to a page
///
/// On a page of your own it stands at the end, or at the end of a section. What is
/// added to a compiled page goes into today's journal and is compiled from there.
///
/// Examples:
///   ken page append stone-oven "It needs two hours to heat."
///   ken page append stone-oven --heading Care --file care.md
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct AppendArgs {
    /// The page: its name, title or alias
    pub(super) page: String,
    /// The text; `-` reads standard input
    pub(super) text: Vec<String>,
    /// The section at whose end it is to stand
    #[arg(long, value_name = "HEADING")]
    pub(super) heading: Option<String>,
    /// Take the text from a file
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    pub(super) file: Option<String>,
}

/// Change the text of a page
///
/// On a terminal it opens the editor that VISUAL or EDITOR names. If the page was
/// changed meanwhile, it stays as it is and your text is kept. What you add to a
/// compiled page goes into the journal, as if you had edited the file.
///
/// Examples:
///   ken page edit stone-oven
///   ken page edit stone-oven --file new.md
///   sed s/hot/warm/ oven.md | ken page edit stone-oven --file -
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct EditArgs {
    /// The page: its name, title or alias
    pub(super) page: String,
    /// Take the new text from a file, or with `-` from standard input
    #[arg(long, value_name = "FILE")]
    pub(super) file: Option<String>,
}

/// Call a page otherwise
///
/// Links, relations and citations of your pages lead to the new name; the old one
/// stays as a redirect, for whatever else names it. A compiled page is compiled
/// under its new name from then on, because the redirect says so.
///
/// Examples:
///   ken page rename stone-oven "Deck oven"
///   ken page rename stone-oven "Deck oven" --dry-run
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct RenameArgs {
    /// The page: its name, title or alias
    pub(super) page: String,
    /// Its new title
    pub(super) title: String,
}

/// Make two pages one
///
/// What the first says is appended to the second, with its aliases, triggers,
/// relations and sources; the first becomes a redirect. Two compiled pages become
/// one subject; of a compiled page and your own, yours stays.
///
/// Examples:
///   ken page merge old-oven deck-oven
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct MergeArgs {
    /// The page that becomes a redirect
    pub(super) from: String,
    /// The page that it is merged into
    pub(super) into: String,
}

/// Move a section of your page to a page of its own
///
/// The heading stays, with a link below it; links to the section lead to the new
/// page, and footnotes go where they are used.
///
/// Examples:
///   ken page split stone-oven --heading Care
///   ken page split stone-oven --heading Care --to "Care of ovens"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct SplitArgs {
    /// The page: its name, title or alias
    pub(super) page: String,
    /// The heading of the section
    #[arg(long, value_name = "HEADING")]
    pub(super) heading: String,
    /// The title of the new page [default: the heading]
    #[arg(long, value_name = "TITLE")]
    pub(super) to: Option<String>,
}

/// Put your page into another category or folder
///
/// Its name stays, so that links by name need no change; those by place are
/// rewritten, in other pages and in this one.
///
/// Examples:
///   ken page move stone-oven --category entity
///   ken page move stone-oven --folder kitchen/heat
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct MoveArgs {
    /// The page: its name, title or alias
    pub(super) page: String,
    /// Its new category
    #[arg(long, value_name = "CATEGORY", value_parser = category, required_unless_present = "folder")]
    pub(super) category: Option<Category>,
    /// Its new folder, as it lies inside the wiki
    #[arg(long, value_name = "FOLDER")]
    pub(super) folder: Option<String>,
}

/// Take a page out of use, and keep it
///
/// It is marked with the reason, and no question loads it any more. What the
/// journal says of a retired compiled page makes no page until it is restored.
///
/// Examples:
///   ken page retire stone-oven --because "It was sold in May."
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct RetireArgs {
    /// The page: its name, title or alias
    pub(super) page: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(super) because: String,
}

/// Take a retired page into use again
///
/// Examples:
///   ken page restore stone-oven
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct RestoreArgs {
    /// The page: its name, title or alias
    pub(super) page: String,
}

/// Let a name lead to a page
///
/// What the journal says under that name is compiled onto the page, too. A circle
/// is refused, and a chain is made one step.
///
/// Examples:
///   ken page redirect "the hot box" stone-oven
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct RedirectArgs {
    /// The name
    pub(super) from: String,
    /// The page: its name, title or alias
    pub(super) to: String,
}

/// Make a compiled page again from journal and sources
///
/// It reads everything again, as `ken compile --all` does, and says whether the
/// page came out otherwise. Every compile keeps pages so; it is for doubts.
///
/// Examples:
///   ken page rebuild stone-oven
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct RebuildArgs {
    /// The page: its name, title or alias
    pub(super) page: String,
}
