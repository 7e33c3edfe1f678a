/**
 * Object headers and their messages, one record per message with the ruler of its bytes. Not the
 * object model: what a group or a dataset means is decided above. Start at {@code ObjectHeader} to
 * read and {@code ObjectHeaderWriter} to write.
 */
package io.skerry.format.object;
