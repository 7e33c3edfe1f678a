/**
 * Performs the last stage of a flush. The journal, the writer lock and the order of the writes
 * ensure that the next process that opens the file finds exactly the state before or after the
 * flush. Start at {@link Commit}, which the flush calls; {@code io.skerry.recovery} reads the
 * journal of an interrupted commit.
 */
package io.skerry.collective.commit;
