package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.Verification.Watcher;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.Block;
import io.skerry.format.block.FileAddress;
import io.skerry.format.btree.BTree2;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.heap.FractalHeap;
import io.skerry.format.message.CacheImageMessage;
import io.skerry.format.message.SharedTableMessage;
import io.skerry.format.shared.SharedMessageList;
import io.skerry.format.shared.SharedMessageRecord;
import io.skerry.format.shared.SharedMessageTable;
import io.skerry.format.superblock.Superblock;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.NativeFileOpener;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.recovery.FileRecovery;
import io.skerry.recovery.FoundJournal;
import io.skerry.recovery.FoundJournal.State;
import io.skerry.spi.ObjectPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Verifies one HDF5 file, as {@link Verification} describes. Local. */
public final class FileVerification {
  private static final String SHARED = "shared message table";

  private static final SpaceReport NOTHING = new SpaceReport(0, 0, Map.of(), 0, 0, 0);

  private final NativeFile file;
  private final FormatFile format;
  private final Findings findings;
  private final SpaceClaims claims;

  private FileVerification(NativeFile file, Watcher watcher) {
    this.file = file;
    this.format = file.tree().format();
    this.findings = new Findings(watcher);
    this.claims = new SpaceClaims(findings, format.superblock().endOfFile());
  }

  /** Verifies a file; implements {@link Verification#of(Path, FileOptions, Watcher)}. */
  public static SpaceReport of(Path path, FileOptions options, Watcher watcher) {
    if (isMidFlush(path, new Findings(watcher))) {
      return NOTHING;
    }
    NativeFile file;
    try {
      file = NativeFileOpener.open(path, FileAccess.READ, Communicator.self(), options);
    } catch (CollectiveException e) {
      if (e.getCause() instanceof FormatException
          || e.getCause() instanceof UnsupportedFeatureException
          || e.getCause() instanceof MemoryLimitException
          || e.getCause() instanceof UntrustedFileException) {
        new Findings(watcher)
            .add(new Findings.Place(0, "beginning of the file"), (RuntimeException) e.getCause());
        return NOTHING;
      }
      throw e;
    }
    try (file) {
      return new FileVerification(file, watcher).run();
    }
  }

  /**
   * Returns whether a flush was interrupted while it replaced blocks. Opening the file would
   * complete the flush, and a verification must report it instead.
   */
  private static boolean isMidFlush(Path path, Findings findings) {
    Optional<FoundJournal> found;
    try {
      found = FileRecovery.look(path);
    } catch (IllegalStateException e) {
      // A writer has the file open, so that opening it will fail with the same reason.
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the journal cannot be read, " + e.getMessage() + " file=" + path, e);
    }
    Optional<Findings.Place> place =
        found
            .filter(journal -> journal.state() == State.PENDING || journal.state() == State.REFUSED)
            .map(journal -> new Findings.Place(journal.foreign().orElse(0), "journal"));
    place.ifPresent(at -> {
      boolean refused = found.orElseThrow().state() == State.REFUSED;
      findings.add(
          at,
          "a flush was interrupted",
          "a file that holds one flush",
          refused
              ? "changes by another program, so that it cannot be finished"
              : "an interrupted flush, which skerry recover finishes");
    });
    return place.isPresent();
  }

  private SpaceReport run() {
    superblock();
    format.extension().ifPresent(this::extension);
    ValueWalk values = new ValueWalk(format, claims);
    DataWalk data = new DataWalk(file, findings, claims, values);
    long objects = new ObjectWalk(format, findings, claims, values, data).walk();
    long unclaimed = claims.reportOverlaps();
    long end = format.superblock().endOfFile();
    long beyond = Math.max(0, format.source().size() - end);
    return new SpaceReport(objects, claims.count(), claims.bytes(), unclaimed, end, beyond);
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
    List<Block> blocks = new ArrayList<>(List.of(extension.placement().first()));
    blocks.addAll(extension.placement().continuations());
    claims.add(SpaceReport.Kind.OBJECT_HEADER, ObjectPath.ROOT, blocks);
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
        .ifPresent(message -> pool(message, format.sharedTable().orElseThrow()));
  }

  private void pool(SharedTableMessage message, SharedMessageTable table) {
    claims.add(
        SpaceReport.Kind.SHARED_MESSAGES,
        ObjectPath.ROOT,
        List.of(
            new Block(
                message.tableAddress(),
                SharedMessageTable.size(message.indexes(), format.widths()))));
    for (SharedMessageTable.Index index : table.indexes()) {
      if (FileAddress.isDefined(index.indexAddress())) {
        findings.check(
            new Findings.Place(index.indexAddress(), SHARED),
            () -> claims.add(SpaceReport.Kind.SHARED_MESSAGES, ObjectPath.ROOT, blocks(index)));
      }
      if (FileAddress.isDefined(index.heapAddress())) {
        findings.check(
            new Findings.Place(index.heapAddress(), SHARED),
            () ->
                claims.add(
                    SpaceReport.Kind.SHARED_MESSAGES,
                    ObjectPath.ROOT,
                    FractalHeap.open(format.source(), format.widths(), index.heapAddress())
                        .blocks()));
      }
    }
  }

  private List<Block> blocks(SharedMessageTable.Index index) {
    return switch (index.form()) {
      case TREE -> BTree2.open(format.source(), format.widths(), index.indexAddress()).blocks();
      case LIST -> {
        var unused = SharedMessageList.read(format.source(), format.widths(), index);
        long room = (long) index.longestList() * SharedMessageRecord.size(format.widths());
        yield List.of(new Block(index.indexAddress(), 8 + room));
      }
    };
  }
}
