/**
 * Messages for other ranks, with elements and with the heap objects and the paths of the HDF5
 * objects to which the elements refer. Start at {@link
 * io.skerry.internal.value.message.MessageWriter}. Local; the messages are sent by the module
 * {@code collective-io}.
 */
package io.skerry.internal.value.message;
