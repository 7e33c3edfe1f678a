/**
 * The journal: the blocks that a flush replaces in place, written to a separate file before the
 * first of them is replaced. Start at {@link io.skerry.format.journal.Journal}.
 */
package io.skerry.format.journal;
