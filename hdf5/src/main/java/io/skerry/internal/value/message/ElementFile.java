package io.skerry.internal.value.message;

import io.skerry.format.block.Widths;
import io.skerry.internal.value.StoredContents;
import java.nio.file.Path;

/**
 * The properties of a file that are needed to decode elements that were read from it. They remain
 * available after the file is closed.
 *
 * @param path the absolute path of the file
 * @param name the name of the file, for error messages and for references from other files
 * @param widths the widths of addresses and lengths in the file, without its mapping of addresses
 * @param size the number of bytes from the base address of the file to its end
 */
public record ElementFile(Path path, String name, Widths widths, long size) {
  /**
   * Returns the properties of an open file.
   *
   * @param contents the access to the file, which provides its name, widths and size
   */
  public static ElementFile of(Path path, StoredContents contents) {
    return new ElementFile(
        path.toAbsolutePath().normalize(),
        contents.fileName(),
        new Widths(contents.widths().offset(), contents.widths().length()),
        contents.fileSize());
  }
}
