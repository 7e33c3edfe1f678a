/**
 * Other programs that read and write HDF5 files, run as processes, and lists of what a file should
 * hold for them to check. No HDF5 code of its own. Start at {@code Oracle}.
 */
package io.skerry.testkit.oracle;
