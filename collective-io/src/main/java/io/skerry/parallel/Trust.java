package io.skerry.parallel;

import java.util.Locale;

/**
 * A policy for the other files that a file names: the targets of its external links, the sources of
 * its virtual datasets, its external data files, and the members of a family or of a multi file.
 * The author of a file chose these names, so a file of unknown origin can name any file that the
 * process may read. A program that writes through an external link or to a virtual dataset changes
 * the file to which the link or the mapping refers.
 *
 * <p>Under every policy, another file must be a regular file: devices, pipes, sockets and folders
 * are refused before they are opened, so no open call blocks. The file that the caller opens is not
 * subject to the policy. A refusal is an {@link UntrustedFileException}; a missing file whose name
 * is allowed is handled as it would be without a policy. Of the environment variables with which
 * the HDF5 library sets file name prefixes, only the one for virtual sources is read (see {@link
 * FileOptions#withVirtualPrefix}). Filters are found only as services of the Java program, so a
 * file cannot name code to load.
 *
 * <p>The folder of the file that the caller opened remains the boundary for all files that are
 * opened on its behalf: relative names in a linked file are resolved against the folder of that
 * file, but may not leave the folder of the first file.
 *
 * <p>The check and the open are separate calls: a name is resolved to a real path, that path is
 * opened, and the path is then checked again. A process that may write to the folder can still
 * redirect the open if it replaces a part of the path with a link after the first check and
 * restores it before the second.
 */
public enum Trust {
  /**
   * Any regular file may be named. By default, the HDF5 library does not restrict the named files
   * either.
   */
  ALL,
  /**
   * Files in the folder of the opened file, or in folders below it, may be named by relative names.
   * Absolute names, names that leave the folder, and symbolic links out of it are refused.
   */
  SAME_FOLDER,
  /** No other file may be named. */
  NONE;

  /**
   * Returns the name of the policy as a value of the command option {@code --trust}. Local,
   * thread-safe; does not fail.
   */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
