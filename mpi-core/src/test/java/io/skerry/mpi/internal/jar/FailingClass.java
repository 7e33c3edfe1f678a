package io.skerry.mpi.internal.jar;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * A loader that defines one class with one static method, which throws an {@link
 * IllegalStateException}.
 */
public final class FailingClass extends ClassLoader {
  private static final ClassDesc FAILURE = ClassDesc.of("java.lang.IllegalStateException");
  private static final MethodTypeDesc CONSTRUCTOR =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);

  private final String name;
  private final byte[] bytes;

  /**
   * Creates the loader.
   *
   * @param name the name of the class
   * @param method the name of the method; {@code <clinit>} for the initializer of the class
   * @param type the type of the method
   * @param message the message of the exception
   */
  public FailingClass(String name, String method, MethodTypeDesc type, String message) {
    super(FailingClass.class.getClassLoader());
    this.name = name;
    this.bytes =
        ClassFile.of()
            .build(
                ClassDesc.of(name),
                made ->
                    made.withFlags(ClassFile.ACC_PUBLIC)
                        .withMethodBody(
                            method,
                            type,
                            ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                            code ->
                                code.new_(FAILURE)
                                    .dup()
                                    .ldc(message)
                                    .invokespecial(FAILURE, ConstantDescs.INIT_NAME, CONSTRUCTOR)
                                    .athrow()));
  }

  @Override
  protected Class<?> findClass(String wanted) throws ClassNotFoundException {
    if (!wanted.equals(name)) {
      throw new ClassNotFoundException(wanted);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }
}
