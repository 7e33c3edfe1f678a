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
 * Reads the driver information from the first file of a family or multi file, before any other
 * member is opened. Reads only the driver information block or the superblock extension. Local.
 */
public final class DriverInfoReader {
  private static final int BLOCK_PREFIX = 16;
  private static final int BYTES_AT = 4;

  private DriverInfoReader() {}

  /**
   * Returns the driver information of a file.
   *
   * @param raw the file with the superblock, with addresses relative to its byte 0
   * @param superblock the superblock, as returned by {@link Superblock#peek}
   * @return the driver information; empty if there is none, or if the superblock extension begins
   *     beyond the end of {@code raw}, in another member
   * @throws FormatException if the driver information is damaged or is not entirely in {@code raw}
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
   * Returns the driver information stored in a superblock extension.
   *
   * @param source the file, with addresses relative to its base address
   * @param address the address of the superblock extension
   * @return the driver information; empty if the extension has none
   * @throws FormatException if the extension or its driver information message is damaged
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
