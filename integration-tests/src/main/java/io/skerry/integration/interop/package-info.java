/**
 * Random files that Skerry writes and other programs read: the plan of each file, session by
 * session and rank by rank, and the content that the file must have in the end. The programs that
 * read the files are started by the tests. Start at {@link
 * io.skerry.integration.interop.WritingPlan}.
 */
package io.skerry.integration.interop;
