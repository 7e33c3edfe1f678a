package io.skerry.integration.misuse;

import io.skerry.Attribute;
import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.DatasetWrite;
import io.skerry.LinkOrder;
import io.skerry.ObjectCopier;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Collective calls to which one rank passes null or an argument that the call cannot use. */
enum MissingArgument {
  OPEN((in, given, _) -> use(in.file().object(given.or("/chunked1")))),
  OPEN_GROUP((in, given, _) -> use(in.file().group(given.or("/group1")))),
  OPEN_DATASET((in, given, _) -> use(in.file().dataset(given.or("/flat1")))),
  CREATE_GROUP((in, given, mark) -> use(in.file().createGroup(given.or("/g" + mark)))),
  CREATE_ORDERED_GROUP((in, given, mark) ->
      use(
          in.file()
              .createGroup("/o" + mark, given.or(LinkOrder.TRACKED), AttributeOrder.UNTRACKED))),
  CREATE_DATATYPE(
      (in, given, mark) -> use(in.file().createDatatype("/t" + mark, given.or(Datatype.I32)))),
  CREATE_DATASET((in, given, mark) ->
      use(
          in.file()
              .createDataset(
                  "/d" + mark, given.or(DatasetSpec.of(Datatype.I32, Shape.of(4)).chunked(2))))),
  CREATE_DATASET_IN_GROUP((in, given, mark) ->
      use(
          in.group("/group1")
              .createDataset("d" + mark, given.or(DatasetSpec.of(Datatype.I32, Shape.of(4)))))),
  HARD_LINK((in, given, mark) -> in.file().createHardLink("/h" + mark, given.or("/chunked1"))),
  SOFT_LINK((in, given, mark) -> in.file().createSoftLink("/s" + mark, given.or("/x"))),
  EXTERNAL_LINK(
      (in, given, mark) -> in.file().createExternalLink("/e" + mark, given.or("x.h5"), "/x")),
  MOVE((in, given, mark) -> in.file().move(given.or("/flat2"), "/m" + mark)),
  UNLINK((in, given, _) -> in.file().unlink(given.or("/sparse2"))),
  COPY_FROM((in, given, mark) -> in.file().copy(given.or("/chunked1"), in.file(), "/c" + mark)),
  COPY_TARGET((in, given, mark) -> in.file().copy("/chunked1", given.or(in.file()), "/ct" + mark)),
  COPY_INTO_GROUP(
      (in, given, mark) -> in.file().copy("/chunked1", given.or(in.group("/group1")), "c" + mark)),
  COPIER_PATH((in, given, mark) ->
      ObjectCopier.between(in.file(), in.file()).copy("/chunked1", given.or("/cp" + mark))),
  WRITE_SELECTION(
      (in, given, _) -> in.dataset("/chunked1").write(given.or(Selection.at(5, 5)), new int[1])),
  WRITE_CONTIGUOUS_SELECTION(
      (in, given, _) -> in.dataset("/flat1").write(given.or(Selection.at(5, 5)), new int[1])),
  WRITE_COMPACT_SELECTION(
      (in, given, _) -> in.dataset("/compact1").write(given.or(Selection.at(5, 5)), new int[1])),
  WRITE_BYTES(
      (in, given, _) -> in.dataset("/chunked1").write(Selection.at(5, 5), given.or(new byte[1]))),
  WRITE_INTS(
      (in, given, _) -> in.dataset("/chunked1").write(Selection.at(5, 5), given.or(new int[1]))),
  WRITE_DOUBLES(
      (in, given, _) -> in.dataset("/flat1").write(Selection.at(5, 5), given.or(new double[1]))),
  WRITE_TEXTS((in, given, _) ->
      in.dataset("/text1").write(Selection.at(5, 5), given.or(new String[] {"text"}))),
  WRITE_TYPE((in, given, _) ->
      in.dataset("/sparse1")
          .write(Selection.at(5, 5), given.or(Datatype.I32), MemorySegment.ofArray(new int[1]))),
  WRITE_SEGMENT((in, given, _) ->
      in.dataset("/sparse1")
          .write(Selection.at(5, 5), Datatype.I32, given.or(MemorySegment.ofArray(new int[1])))),
  WRITE_VALUES(
      (in, given, _) -> in.dataset("/text1").writeValues(Selection.none(), given.or(List.of()))),
  WRITE_SEVERAL((in, given, _) ->
      in.file().writeAll(given.or(List.of(DatasetWrite.nothing(in.dataset("/chunked1")))))),
  WRITE_SEVERAL_ELEMENT((in, given, _) ->
      in.file().writeAll(Arrays.asList(given.or(DatasetWrite.nothing(in.dataset("/chunked1")))))),
  WRITE_SEVERAL_SELECTION((in, given, _) ->
      in.file()
          .writeAll(
              List.of(
                  DatasetWrite.of(
                      in.dataset("/chunked1"), given.or(Selection.at(5, 5)), new int[1])))),
  WRITE_CHUNK((in, given, _) -> in.dataset("/chunked1").writeChunk(given.or(image()), 4, 4)),
  WRITE_CHUNKS((in, given, _) -> in.dataset("/chunked1").writeChunks(given.or(Map.of()))),
  ERASE((in, given, _) -> in.dataset("/sparse1").erase(given.or(Selection.at(5, 5)))),
  READ_CHUNKED(
      (in, given, _) -> use(in.dataset("/chunked1").readInts(given.or(Selection.at(5, 5))))),
  READ_CONTIGUOUS(
      (in, given, _) -> use(in.dataset("/flat1").readInts(given.or(Selection.at(5, 5))))),
  READ_COMPACT(
      (in, given, _) -> use(in.dataset("/compact1").readInts(given.or(Selection.at(5, 5))))),
  READ_TEXTS((in, given, _) -> use(in.dataset("/text1").readStrings(given.or(Selection.at(5, 5))))),
  READ_ELEMENTS(
      (in, given, _) -> use(in.dataset("/text1").readElements(given.or(Selection.at(5, 5))))),
  READ_TYPE((in, given, _) ->
      in.dataset("/chunked1")
          .read(Selection.at(5, 5), given.or(Datatype.I32), MemorySegment.ofArray(new int[1]))),
  READ_SEGMENT((in, given, _) ->
      in.dataset("/chunked1")
          .read(Selection.at(5, 5), Datatype.I32, given.or(MemorySegment.ofArray(new int[1])))),
  READ_SMALL_SEGMENT((in, given, _) ->
      in.dataset("/flat1")
          .read(
              Selection.at(5, 5),
              Datatype.I32,
              MemorySegment.ofArray(new byte[given.isMissing() ? 3 : 4]))),
  DEFINED((in, given, _) -> use(in.dataset("/sparse1").defined(given.or(Selection.at(5, 5))))),
  EXTEND((in, given, _) -> in.dataset("/sparse1").extendTo(given.or(new long[] {16, 16}))),
  SET_ATTRIBUTE((in, given, mark) ->
      in.group("/group1").setAttribute(given.or(Attribute.of("a" + mark, "text")))),
  SET_ATTRIBUTE_VALUES((in, given, mark) ->
      in.group("/group1").setAttribute("v" + mark, given.or(Datatype.I32), Shape.of(0), List.of())),
  DELETE_ATTRIBUTE((in, given, _) -> in.group("/group1").deleteAttribute(given.or("kept"))),
  RENAME_ATTRIBUTE(
      (in, given, mark) -> in.group("/group2").renameAttribute("kept", given.or("kept" + mark)));

  /** The presence of the argument on a rank. */
  enum Given {
    PRESENT,
    MISSING;

    boolean isMissing() {
      return this == MISSING;
    }

    /** Returns the given argument if it is present, otherwise null. */
    @SuppressWarnings("NullAway") // a program can pass null to any method
    <T> T or(T argument) {
      return this == PRESENT ? argument : null;
    }
  }

  /** A call on a file. */
  @FunctionalInterface
  interface Body {
    /** Makes the call. */
    void run(MisusedFile in, Given given, int mark);
  }

  private final Body body;

  MissingArgument(Body body) {
    this.body = body;
  }

  /** Makes the call. Collective. */
  void run(MisusedFile in, Given given, int mark) {
    body.run(in, given, mark);
  }

  private static void use(Object unused) {}

  private static ChunkImage image() {
    return new ChunkImage(MemorySegment.ofArray(new byte[64]), SectionTable.plain(64));
  }
}
