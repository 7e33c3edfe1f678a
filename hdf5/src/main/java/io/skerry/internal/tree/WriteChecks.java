package io.skerry.internal.tree;

import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.FileAddress;
import io.skerry.format.file.FormatFile;
import io.skerry.format.message.CacheImageMessage;
import io.skerry.format.message.DriverInfoMessage;
import io.skerry.format.superblock.Superblock;

/** Refuses changes that a file does not allow. */
final class WriteChecks {
  private WriteChecks() {}

  /**
   * Refuses to change a file with extensions that this library cannot keep up to date.
   *
   * @throws UnsupportedFeatureException naming the extension
   */
  static void checkWritable(FormatFile format) {
    boolean block =
        format
            .superblock()
            .early()
            .filter(early -> FileAddress.isDefined(early.driverAddress()))
            .isPresent();
    if (block
        || format.extension().filter(header -> header.has(DriverInfoMessage.class)).isPresent()) {
      // The driver information may describe more than is known here, such as members of a family.
      throw new UnsupportedFeatureException(
          "changing a file with driver information", format.source().name());
    }
    if (format.extension().filter(header -> header.has(CacheImageMessage.class)).isPresent()) {
      // Readers would take the image for newer than the changed metadata.
      throw new UnsupportedFeatureException(
          "changing a file with a metadata cache image", format.source().name());
    }
  }

  /**
   * Refuses an end of file that the file's addresses of two or four bytes cannot express.
   *
   * @throws UnsupportedFeatureException naming the width and the end
   */
  static void checkReach(FormatFile format, long endOfFile) {
    Superblock superblock = format.superblock();
    int bits = 8 * superblock.widths().offset();
    if (bits < 64 && endOfFile + superblock.baseAddress() >= 1L << bits) {
      throw new UnsupportedFeatureException(
          "a file larger than its offsets reach: offsetBytes="
              + bits / 8
              + " endOfFile="
              + endOfFile,
          format.source().name());
    }
  }
}
