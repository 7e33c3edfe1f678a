package io.skerry.integration.misuse;

import io.skerry.Attribute;
import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.DatasetWrite;
import io.skerry.LinkOrder;
import io.skerry.ObjectCopier;
import io.skerry.StorageChange;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Collective calls on a file, except those that close it. */
enum MisusedCall {
  WRITE_CHUNKED(Agreed.OBJECT, (in, at) -> write(in, "/chunked" + at.object())),
  WRITE_CONTIGUOUS(Agreed.OBJECT, (in, at) -> write(in, "/flat" + at.object())),
  WRITE_COMPACT(Agreed.OBJECT, (in, at) -> write(in, "/compact" + at.object())),
  WRITE_SPARSE(Agreed.OBJECT, (in, at) -> write(in, "/sparse" + at.object())),
  WRITE_TEXT(
      Agreed.OBJECT,
      (in, at) ->
          in.dataset("/text" + at.object()).write(Selection.at(0, 0), new String[] {"text"})),
  WRITE_SEVERAL(
      Agreed.OBJECT,
      (in, at) ->
          in.file()
              .writeAll(
                  List.of(
                      DatasetWrite.of(
                          in.dataset("/chunked" + at.object()), Selection.at(1, 1), new int[1]),
                      DatasetWrite.of(
                          in.dataset("/flat" + at.object()), Selection.at(1, 1), new int[1])))),
  WRITE_CHUNKS(
      Agreed.OBJECT, (in, at) -> in.dataset("/chunked" + at.object()).writeChunks(Map.of())),
  ERASE(Agreed.OBJECT, (in, at) -> in.dataset("/sparse" + at.object()).erase(Selection.at(2, 2))),
  READ_CHUNKED(Agreed.OBJECT, (in, at) -> read(in, "/chunked" + at.object())),
  READ_TEXT(
      Agreed.OBJECT,
      (in, at) -> {
        var _ = in.dataset("/text" + at.object()).readStrings(Selection.at(0, 0));
      }),
  READ_SPARSE(Agreed.OBJECT, (in, at) -> read(in, "/sparse" + at.object())),
  DEFINED(
      Agreed.OBJECT,
      (in, at) -> {
        var _ = in.dataset("/sparse" + at.object()).defined(Selection.all());
      }),
  EXTEND(
      Agreed.ARGUMENT,
      (in, at) -> in.dataset("/chunked" + at.object()).extend(16L + at.argument())),
  SHRINK(
      Agreed.ARGUMENT, (in, at) -> in.dataset("/sparse" + at.object()).extend(16L - at.argument())),
  CREATE_GROUP(
      Agreed.ARGUMENT,
      (in, at) -> {
        LinkOrder order = at.argument() == 1 ? LinkOrder.UNTRACKED : LinkOrder.TRACKED;
        var _ = in.file().createGroup(at.fresh("/new group"), order, AttributeOrder.UNTRACKED);
      }),
  CREATE_DATASET(
      Agreed.ARGUMENT,
      (in, at) -> {
        DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(8)).chunked(at.argument());
        var _ = in.file().createDataset(at.fresh("/new dataset"), spec);
      }),
  CREATE_DATATYPE(
      Agreed.ARGUMENT,
      (in, at) -> {
        Datatype type = at.argument() == 1 ? Datatype.I32 : Datatype.F64;
        var _ = in.file().createDatatype(at.fresh("/new type"), type);
      }),
  CREATE_SOFT_LINK(
      Agreed.ARGUMENT,
      (in, at) -> in.file().createSoftLink(at.fresh("/new link"), "/chunked" + at.argument())),
  CREATE_HARD_LINK(
      Agreed.ARGUMENT,
      (in, at) -> in.file().createHardLink(at.fresh("/new hard link"), "/flat" + at.argument())),
  CREATE_EXTERNAL_LINK(
      Agreed.ARGUMENT,
      (in, at) ->
          in.file().createExternalLink(at.fresh("/new outer link"), "x.h5", "/x" + at.argument())),
  MOVE(
      Agreed.ARGUMENT,
      (in, at) -> in.file().move("/missing" + at.object(), at.fresh("/moved" + at.argument()))),
  UNLINK(Agreed.OBJECT, (in, at) -> in.file().unlink("/missing" + at.object())),
  COPY(
      Agreed.ARGUMENT,
      (in, at) ->
          in.file().copy("/chunked" + at.object(), in.file(), at.fresh("/copy" + at.argument()))),
  COPY_SOURCE(
      Agreed.OBJECT,
      (in, at) ->
          in.file().copy(at.object() == 1 ? "/chunked1" : "/flat2", in.file(), at.free("/copied"))),
  COPY_GROUP(
      Agreed.OBJECT,
      (in, at) -> in.file().copy("/group" + at.object(), in.file(), at.free("/copied group"))),
  COPY_STORED(
      Agreed.ARGUMENT,
      (in, at) ->
          ObjectCopier.between(in.file(), in.file())
              .storing(_ -> StorageChange.none().withChunk(List.of(4L, 2L * at.argument())))
              .copy("/chunked" + at.object(), at.free("/copied in other chunks"))),
  COPY_STORED_BY_NAME(
      Agreed.ARGUMENT,
      (in, at) ->
          ObjectCopier.between(in.file(), in.file())
              .storing(
                  "/chunked" + at.object(),
                  StorageChange.none().withFilters(List.of(Filters.deflate(at.argument()))))
              .copy("/chunked" + at.object(), at.free("/copied with a filter"))),
  SET_ATTRIBUTE(
      Agreed.ARGUMENT,
      (in, at) ->
          in.group("/group" + at.object()).setAttribute(Attribute.of("a", "v" + at.argument()))),
  DELETE_ATTRIBUTE(
      Agreed.ARGUMENT,
      (in, at) -> in.group("/group" + at.object()).deleteAttribute("none" + at.argument())),
  RENAME_ATTRIBUTE(
      Agreed.ARGUMENT,
      (in, at) -> in.group("/group" + at.object()).renameAttribute("none", "new" + at.argument())),
  OPEN_DATASET(
      Agreed.OBJECT,
      (in, at) -> {
        var _ = in.file().dataset("/chunked" + at.object());
      }),
  FLUSH(Agreed.FILE, (in, _) -> in.file().flush());

  /** The properties of a call that must be equal on all ranks, in addition to the operation. */
  enum Agreed {
    /** The file. */
    FILE,
    /** The file and the object. */
    OBJECT,
    /** The file, the object and an argument. */
    ARGUMENT
  }

  /**
   * The object and argument of a call.
   *
   * @param object the number of the object, 1 or 2
   * @param argument the number of the argument, 1 or 2
   * @param trial the trial number, which is part of the paths of new objects
   */
  record Place(int object, int argument, int trial) {
    /** Returns an unused path that depends only on the number of the trial. */
    String free(String path) {
      return path + " " + trial;
    }

    /** Returns an unused path that differs for each object and trial. */
    String fresh(String path) {
      return path + " " + trial + " " + object;
    }
  }

  /** A call on a file. */
  @FunctionalInterface
  interface Body {
    /** Makes the call. */
    void run(MisusedFile in, Place at);
  }

  private final Agreed agreed;
  private final Body body;

  MisusedCall(Agreed agreed, Body body) {
    this.agreed = agreed;
    this.body = body;
  }

  /** Returns the properties that must be equal on all ranks. */
  Agreed agreed() {
    return agreed;
  }

  /** Makes the call. Collective. */
  void run(MisusedFile in, Place at) {
    body.run(in, at);
  }

  private static void write(MisusedFile in, String path) {
    int[] values = new int[4];
    Arrays.fill(values, 7);
    in.dataset(path).write(Selection.at(3, 3).extent(2, 2), values);
  }

  private static void read(MisusedFile in, String path) {
    var _ = in.dataset(path).readInts(Selection.at(3, 3).extent(2, 2));
  }
}
