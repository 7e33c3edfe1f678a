/**
 * Reads a whole file, whatever its superblock version: objects, links and attributes. Combines the
 * other packages of this module for the layers above; holds no open file and writes nothing. Start
 * at {@link io.skerry.format.file.FormatFile}.
 */
package io.skerry.format.file;
