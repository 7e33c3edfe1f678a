package io.skerry.mpi.internal.mpj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.internal.jar.FailingClass;
import io.skerry.mpi.internal.jar.JarClasses;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import org.junit.jupiter.api.Test;

class MpjApiTest {
  private static final ClassDesc STRINGS = ConstantDescs.CD_String.arrayType();

  /** The exceptions of MPJ Express are runtime exceptions. */
  @Test
  void a_runtime_exception_of_the_start_becomes_a_failure_of_the_library() {
    var loader =
        new FailingClass(
            "mpi.MPI", "Init", MethodTypeDesc.of(STRINGS, STRINGS), "cannot bind the port");
    var classes = new JarClasses(loader, "MPJ Express");
    MpiException failure =
        assertThrows(MpiException.class, () -> MpjApi.start(classes, new String[0]));
    assertEquals(MpiErrorClass.LIBRARY, failure.errorClass());
    assertEquals("start", failure.operation());
    assertTrue(failure.text().contains("cannot bind the port"), failure.text());
    assertInstanceOf(IllegalStateException.class, failure.getCause());
  }

  @Test
  void a_missing_class_keeps_its_own_failure() {
    var classes = new JarClasses(MpjApiTest.class.getClassLoader(), "the jar");
    MpiException failure =
        assertThrows(MpiException.class, () -> MpjApi.start(classes, new String[0]));
    assertTrue(failure.text().contains("the jar lacks class mpi.MPI"), failure.text());
  }
}
