/**
 * Object header messages of groups and their links, one class per message type. Start at {@link
 * io.skerry.format.message.group.LinkMessage}.
 */
package io.skerry.format.message.group;
