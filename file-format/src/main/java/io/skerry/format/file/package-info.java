/**
 * Reads the objects, links and attributes of a file of any superblock version. Combines the other
 * packages of this module for the layers above; does not open files itself and writes nothing.
 * Start at {@link io.skerry.format.file.FormatFile}.
 */
package io.skerry.format.file;
