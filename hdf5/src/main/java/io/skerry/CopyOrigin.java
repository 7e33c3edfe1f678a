package io.skerry;

/**
 * An object that is copied.
 *
 * @param file where it is
 * @param address of its header
 */
record CopyOrigin(NativeFile file, long address) {}
