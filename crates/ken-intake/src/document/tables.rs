//! Tables of Markdown.

/// Returns the lines of a table; its first row is its head. A table of one column is a list.
pub(super) fn table(rows: &[Vec<String>]) -> Vec<String> {
    let rows: Vec<&Vec<String>> = rows.iter().filter(|row| row.iter().any(|cell| !cell.trim().is_empty())).collect();
    let n_columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    if n_columns < 2 {
        return rows.iter().map(|row| format!("- {}", one(&row[0]))).collect();
    }
    let line = |row: &Vec<String>| {
        let cells = (0..n_columns).map(|at| row.get(at).map(|cell| one(cell)).unwrap_or_default());
        format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
    };
    let mut out = vec![line(rows[0]), format!("|{}", "---|".repeat(n_columns))];
    out.extend(rows[1..].iter().map(|row| line(row)));
    out
}

/// A cell as it can stand in a row.
fn one(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
