/**
 * The last stage of a flush: the journal, the writer lock, and the order of writes by which the
 * next opening finds exactly the state before the flush or the state after it. Start at {@link
 * Commit}, which the flush calls; {@code io.skerry.recovery} reads the journal of an interrupted
 * commit.
 */
package io.skerry.collective.commit;
