/**
 * A whole file as those above read it, whatever its age: objects, links, attributes. Holds no open
 * file and changes nothing. Start at {@code FormatFile}.
 */
package io.skerry.format.file;
