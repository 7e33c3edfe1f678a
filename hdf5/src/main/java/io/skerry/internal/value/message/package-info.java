/**
 * Messages with elements and the contents to which they refer, for other ranks. Start at {@link
 * io.skerry.internal.value.message.MessageWriter}. Local; the messages are sent by the module
 * {@code collective-io}.
 */
package io.skerry.internal.value.message;
