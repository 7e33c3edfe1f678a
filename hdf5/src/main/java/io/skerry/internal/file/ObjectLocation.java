package io.skerry.internal.file;

/**
 * An object that is copied.
 *
 * @param file where it is
 * @param address of its header
 */
public record ObjectLocation(NativeFile file, long address) {}
