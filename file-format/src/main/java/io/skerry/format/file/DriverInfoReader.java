package io.skerry.format.file;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.DriverInfoMessage;
import io.skerry.format.superblock.DriverInfo;
import io.skerry.format.superblock.EarlyFields;
import io.skerry.format.superblock.Superblock;
import java.util.Optional;

/**
 * Finds out from the first of several files how they belong together, before any other is open.
 * Reads the driver information and nothing else. Local.
 */
public final class DriverInfoReader {
  private static final int BLOCK_PREFIX = 16;
  private static final int BYTES_AT = 4;

  private DriverInfoReader() {}

  /**
   * The driver information of a file.
   *
   * @param raw the file with the superblock, with addresses that count from its byte 0
   * @param superblock as {@link Superblock#peek} read it
   * @return nothing if there is none, or if it stands in another file
   * @throws FormatException if it is damaged
   */
  public static Optional<DriverInfo> read(ByteSource raw, Superblock superblock) {
    ByteSource source = raw.from(superblock.baseAddress());
    if (superblock.early().isPresent()) {
      return block(source, superblock.early().get());
    }
    long extension = superblock.extensionAddress();
    return FileAddress.isDefined(extension) && extension < source.size()
        ? message(source, superblock.widths(), extension)
        : Optional.empty();
  }

  private static Optional<DriverInfo> block(ByteSource source, EarlyFields early) {
    long address = early.driverAddress();
    if (!FileAddress.isDefined(address)) {
      return Optional.empty();
    }
    try {
      ByteReader prefix = ByteReader.of(source.read(address, BLOCK_PREFIX), "driver information");
      prefix.skip(BYTES_AT);
      long bytes = BLOCK_PREFIX + prefix.u32();
      return Optional.of(
          DriverInfo.decodeBlock(
              ByteReader.of(source.read(address, bytes), "driver information block")));
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(address);
    }
  }

  /**
   * The driver information in a superblock extension.
   *
   * @param source a file, with addresses that count from where the extension's count
   * @param address the extension
   * @throws FormatException if it, or the extension, is damaged
   */
  public static Optional<DriverInfo> message(ByteSource source, Widths widths, long address) {
    try {
      return ObjectHeader.read(source, widths, address)
          .find(DriverInfoMessage.class)
          .map(message -> DriverInfo.decode(message.driver(), message.information().segment()));
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(address);
    }
  }
}
