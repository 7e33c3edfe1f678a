package io.skerry.internal.file;

/**
 * The location of an object.
 *
 * @param file the file of the object
 * @param address the address of its header
 */
public record ObjectLocation(NativeFile file, long address) {}
