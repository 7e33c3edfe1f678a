/**
 * Object header messages: the interface, shared messages, and messages of all objects or of the
 * superblock extension. Start at {@link io.skerry.format.message.Message}.
 */
package io.skerry.format.message;
