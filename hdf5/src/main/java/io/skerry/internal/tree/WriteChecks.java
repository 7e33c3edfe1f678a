package io.skerry.internal.tree;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.FileAddress;
import io.skerry.format.file.FormatFile;
import io.skerry.format.message.CacheImageMessage;
import io.skerry.format.message.DriverInfoMessage;
import io.skerry.format.message.FileSpaceInfoMessage;
import io.skerry.format.superblock.Superblock;

/** Rejects changes that a file does not allow. */
final class WriteChecks {
  private WriteChecks() {}

  /**
   * Rejects a file with extensions that this library cannot keep up to date.
   *
   * @throws UnsupportedFeatureException if the file has such an extension, which the message names
   * @throws FormatException if the file space info of the file is damaged
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
      // The driver information may describe features that this library does not support, such as
      // the member files of the family driver.
      throw new UnsupportedFeatureException(
          "changing a file with driver information", format.source().name());
    }
    if (format.extension().filter(header -> header.has(CacheImageMessage.class)).isPresent()) {
      // Readers would assume that the image is newer than the changed metadata.
      throw new UnsupportedFeatureException(
          "changing a file with a metadata cache image", format.source().name());
    }
    format
        .extension()
        .flatMap(header -> header.find(FileSpaceInfoMessage.class))
        .ifPresent(info -> checkFileSpace(info, format));
  }

  private static void checkFileSpace(FileSpaceInfoMessage info, FormatFile format) {
    if (info.freeSpace() == FileSpaceInfoMessage.FreeSpace.PERSISTENT) {
      // HDF5 1.10 allocates space from the end-of-allocation address in the message, so it
      // might overwrite data that this library has appended.
      throw new UnsupportedFeatureException(
          "changing a file with persistent free space", format.source().name());
    }
    if (info.strategy() == FileSpaceInfoMessage.Strategy.PAGES) {
      // HDF5 relies on every page of such a file containing only metadata or only raw data.
      throw new UnsupportedFeatureException(
          "changing a file with paged space allocation", format.source().name());
    }
  }

  /**
   * Rejects an end-of-file address that the file's two- or four-byte offsets cannot represent. The
   * two largest values are not addresses: the undefined address, and the one that marks an
   * incomplete flush.
   *
   * @throws UnsupportedFeatureException if the address does not fit; the message contains the
   *     address and the width of the offsets
   */
  static void checkReach(FormatFile format, long endOfFile) {
    Superblock superblock = format.superblock();
    int bits = 8 * superblock.widths().offset();
    if (bits < 64 && endOfFile + superblock.baseAddress() >= (1L << bits) - 2) {
      throw new UnsupportedFeatureException(
          "a file larger than its offsets reach: offsetBytes="
              + bits / 8
              + " endOfFile="
              + endOfFile,
          format.source().name());
    }
  }
}
