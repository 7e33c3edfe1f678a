/**
 * Runs other HDF5 programs to check the content of files, and writes the lists of facts that the
 * programs check. This package contains no HDF5 code of its own. Start at {@link
 * io.skerry.testkit.oracle.Oracle}.
 */
package io.skerry.testkit.oracle;
