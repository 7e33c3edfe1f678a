/**
 * Object header messages: the interface, shared messages, and the messages that occur in all kinds
 * of objects or in the superblock extension. Start at {@link io.skerry.format.message.Message}.
 */
package io.skerry.format.message;
