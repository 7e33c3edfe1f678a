package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.format.block.Block;
import io.skerry.format.block.FileAddress;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.CacheImageMessage;
import io.skerry.format.message.SharedTableMessage;
import io.skerry.format.superblock.Superblock;
import io.skerry.spi.ObjectPath;
import java.util.ArrayList;
import java.util.List;

/** Verifies the superblock of a file, its extension, and the structures to which both refer. */
final class SuperblockWalk {
  private final FormatFile format;
  private final Findings findings;
  private final SpaceClaims claims;

  SuperblockWalk(FormatFile format, Findings findings, SpaceClaims claims) {
    this.format = format;
    this.findings = findings;
    this.claims = claims;
  }

  void walk() {
    superblock();
    format.extension().ifPresent(this::extension);
  }

  private void superblock() {
    Superblock superblock = format.superblock();
    List<Block> blocks = new ArrayList<>(List.of(new Block(0, superblock.size())));
    superblock
        .early()
        .filter(early -> FileAddress.isDefined(early.driverAddress()))
        .ifPresent(early -> blocks.add(driver(early.driverAddress())));
    claims.add(SpaceReport.Kind.SUPERBLOCK, ObjectPath.ROOT, blocks);
  }

  /**
   * Returns the block of the driver information: {@code 00 | reserved 3 | bytes u32 | driver 8
   * characters}, followed by that number of bytes.
   */
  private Block driver(long address) {
    ByteReader in = ByteReader.of(format.source().read(address, 16), "driver information");
    in.skip(4);
    return new Block(address, 16 + in.u32());
  }

  private void extension(ObjectHeader extension) {
    claims.add(extension, ObjectPath.ROOT);
    Findings.Place at = new Findings.Place(extension.address(), "superblock extension");
    findings.check(
        at,
        () ->
            extension
                .find(CacheImageMessage.class)
                .filter(image -> FileAddress.isDefined(image.address()) && image.length() > 0)
                .ifPresent(image ->
                    claims.add(
                        SpaceReport.Kind.CACHE_IMAGE,
                        ObjectPath.ROOT,
                        List.of(new Block(image.address(), image.length())))));
    extension
        .find(SharedTableMessage.class)
        .ifPresent(message ->
            new SharedMessageWalk(format, findings, claims)
                .check(message, format.sharedTable().orElseThrow()));
  }
}
