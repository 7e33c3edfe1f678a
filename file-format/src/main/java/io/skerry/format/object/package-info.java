/** Object headers and their messages. Start at {@code ObjectHeader}. */
package io.skerry.format.object;
