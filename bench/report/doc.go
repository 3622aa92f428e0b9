// Package report writes results of package bench for people: a Markdown file
// with tables, one HTML page with tables and charts, the charts as PNG files if
// they are wanted, and the result itself as JSON.
//
// The page holds everything it shows: its charts are SVG within it, and it has
// no script, so it needs neither a network nor other files. Charts are drawn by
// gonum.org/v1/plot.
//
// Functions may be called concurrently with different folders. They write files
// that are replaced whole or not at all, and print nothing.
package report
