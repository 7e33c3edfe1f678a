package io.skerry.parallel;

import java.util.Locale;

/**
 * A policy for the other files that a file names: the targets of its external links, the sources of
 * its virtual datasets, its external data files, and the members of a family or of a multi file.
 * The author of a file chose these names, so a file from elsewhere can name any file that the
 * process may read. An external link followed by a program that changes files makes it change the
 * file that the link names.
 *
 * <p>Under every policy another file must be a regular file: devices, pipes, sockets and folders
 * are refused, and opening them never blocks. The file that the caller opens is not subject to the
 * policy. A refusal is an {@link UntrustedFileException}; what is merely missing is treated as
 * without a policy. Environment variables that give prefixes to HDF5 are not read, and filters come
 * from the services of the Java program alone, so a file cannot name code to load.
 *
 * <p>The folder of the file that the caller opened stays the boundary for all files that are opened
 * because of it: the names in a linked file count from the folder of that file but may not leave
 * the first one.
 *
 * <p>The check and the open are two calls, since Java cannot open a file relative to a folder and
 * without following links. A name is resolved to a real path, that path is opened, and it is
 * checked again afterwards. A process that may write to the folder, and replaces a part of the path
 * by a link and puts it back between the two checks, can still lead elsewhere.
 */
public enum Trust {
  /** Every regular file may be named, as in other HDF5 libraries. */
  ALL,
  /**
   * Files in the folder of the opened file, or in folders below it, may be named by relative names.
   * Absolute names, names that leave the folder, and symbolic links out of it are refused.
   */
  SAME_FOLDER,
  /** No other file may be named. */
  NONE;

  /** The policy as the option {@code --trust} of the commands spells it. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
