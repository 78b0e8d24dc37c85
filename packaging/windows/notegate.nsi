; The installer for Windows: for one person, without an administrator, into %LOCALAPPDATA%\Programs\Notegate.
; packaging/build hands over: VERSION, ARCH, SOURCE (the folder with the files), OUT, ICON, KILOBYTES, and TRIAL
; when compressing would only cost time.

Unicode true
!ifdef TRIAL
  SetCompress off
!else
  SetCompressor /SOLID lzma
!endif
RequestExecutionLevel user
ManifestDPIAware true
Name "Notegate"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Notegate"
InstallDirRegKey HKCU "Software\Notegate" "InstallFolder"

!include MUI2.nsh
!include x64.nsh

!define ENTRY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Notegate"
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\notegate.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

LangString RUNNING ${LANG_ENGLISH} "Notegate is running. It is being ended."
LangString RUNNING ${LANG_SIMPCHINESE} "Notegate 正在运行，将结束运行。"
LangString WRONG ${LANG_ENGLISH} "This installer is for another kind of processor (${ARCH})."
LangString WRONG ${LANG_SIMPCHINESE} "此安装程序适用于另一种处理器（${ARCH}）。"

VIProductVersion "${VERSION}.0"
VIAddVersionKey /LANG=${LANG_ENGLISH} "ProductName" "Notegate"
VIAddVersionKey /LANG=${LANG_ENGLISH} "FileDescription" "Notegate installer"
VIAddVersionKey /LANG=${LANG_ENGLISH} "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=${LANG_ENGLISH} "ProductVersion" "${VERSION}"
VIAddVersionKey /LANG=${LANG_ENGLISH} "LegalCopyright" "The Notegate contributors; MIT or Apache 2.0"

Function .onInit
  ${If} "${ARCH}" == "aarch64"
    ${IfNot} ${IsNativeARM64}
      MessageBox MB_ICONSTOP "$(WRONG)"
      Abort
    ${EndIf}
  ${ElseIfNot} ${RunningX64}
    MessageBox MB_ICONSTOP "$(WRONG)"
    Abort
  ${EndIf}
FunctionEnd

; A running Notegate ends after its calls have cleaned up; its program could not be replaced before.
!macro END_RUNNING
  ${If} ${FileExists} "$INSTDIR\notegate.exe"
    DetailPrint "$(RUNNING)"
    nsExec::Exec '"$INSTDIR\notegate.exe" stop'
    Pop $0
  ${EndIf}
!macroend

; What an installer of ours put there, and nothing of the person's: settings lie in %APPDATA% and %LOCALAPPDATA%.
!macro REMOVE_FILES
  RMDir /r "$INSTDIR\node"
  RMDir /r "$INSTDIR\mcpvault"
  Delete "$INSTDIR\notegate.exe"
  Delete "$INSTDIR\notegate.ico"
  Delete "$INSTDIR\notegate.ps1"
  Delete "$INSTDIR\notegate.cdx.json"
  Delete "$INSTDIR\THIRD-PARTY-LICENSES"
  Delete "$INSTDIR\LICENSE-MIT"
  Delete "$INSTDIR\LICENSE-APACHE"
!macroend

Section
  !insertmacro END_RUNNING
  !insertmacro REMOVE_FILES
  SetOutPath "$INSTDIR"
  File /r "${SOURCE}/*.*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Notegate.lnk" "$INSTDIR\notegate.exe" "" "$INSTDIR\notegate.ico"
  WriteRegStr HKCU "Software\Notegate" "InstallFolder" "$INSTDIR"
  WriteRegStr HKCU "${ENTRY}" "DisplayName" "Notegate"
  WriteRegStr HKCU "${ENTRY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${ENTRY}" "DisplayIcon" "$INSTDIR\notegate.ico"
  WriteRegStr HKCU "${ENTRY}" "Publisher" "The Notegate contributors"
  WriteRegStr HKCU "${ENTRY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${ENTRY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${ENTRY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${ENTRY}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD HKCU "${ENTRY}" "NoModify" 1
  WriteRegDWORD HKCU "${ENTRY}" "NoRepair" 1
SectionEnd

Section Uninstall
  !insertmacro END_RUNNING
  !insertmacro REMOVE_FILES
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Notegate.lnk"
  DeleteRegKey HKCU "${ENTRY}"
  DeleteRegKey HKCU "Software\Notegate"
SectionEnd
